#pragma once
/// \file
/// The name of the GPU.

#include <string>

namespace gradus::gpu {

/// "NVIDIA H200, driver for CUDA 13.0, CUDA 13.0"; "host layer" on the host layer. Throws Error if there is no GPU.
std::string device_text();

}  // namespace gradus::gpu
