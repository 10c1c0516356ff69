#pragma once
/// \file
/// The device that a choice means on this machine.

#include "gradus/device/choice.hpp"

namespace gradus {

/// cpu or cuda: the device for `wanted` in this program on this machine. Throws UsageError, one line that says
/// what is missing, if `wanted` is a GPU that cannot be used.
DeviceChoice device_taken(DeviceChoice wanted);

}  // namespace gradus
