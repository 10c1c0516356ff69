#pragma once
/// \file
/// Which GPU there is.

#include <string>

namespace gradus::gpu {

/// "NVIDIA H200, driver for CUDA 13.0, CUDA 13.0"; of the host layer just that. Error if there is none.
std::string device_text();

}  // namespace gradus::gpu
