#pragma once
/// \file
/// The name of the device that is chosen.

#include "gradus/device/choice.hpp"

namespace gradus {

/// "cpu" or "cuda": what `wanted` means for this program on this machine. UsageError, one line that says what is missing,
/// if a GPU is demanded that cannot be had.
const char* device_name(DeviceChoice wanted);

}  // namespace gradus
