#pragma once
/// \file
/// The device that a choice means on this machine.

#include "gradus/device/choice.hpp"

namespace gradus {

/// cpu or cuda: what `wanted` means for this program on this machine. UsageError, one line that says what is missing,
/// if a GPU is demanded that cannot be had.
DeviceChoice device_taken(DeviceChoice wanted);

}  // namespace gradus
