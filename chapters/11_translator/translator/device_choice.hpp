#pragma once
/// \file
/// The name of the chosen device.

#include "gradus/device/choice.hpp"

namespace gradus {

/// "cpu" or "cuda": the device for `wanted` in this program on this machine. Throws UsageError, one line that says
/// what is missing, if `wanted` is a GPU that cannot be used.
const char* device_name(DeviceChoice wanted);

}  // namespace gradus
