#pragma once
/// \file
/// The words for a machine on which CUDA finds no GPU.

#include <string>

namespace gradus::gpu {

/// "13.0" for CUDA's number 13000.
inline std::string cuda_version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// CUDA says "the driver's version is insufficient" both for an old driver and for none. `driver` is the CUDA that the driver is for, 0
/// without a driver; `needed` that of this program.
inline std::string unfit_driver(int driver, int needed) {
  if (driver == 0) return "no NVIDIA GPU: this machine has no NVIDIA driver";
  return "the NVIDIA driver is too old: it is for CUDA " + cuda_version(driver) + ", and this program for CUDA " +
         cuda_version(needed);
}

/// `visible` is the variable CUDA_VISIBLE_DEVICES, null if it is not set.
inline std::string no_gpu_counted(const char* visible) {
  if (visible == nullptr) return "there is no NVIDIA GPU";
  return std::string("no NVIDIA GPU: CUDA_VISIBLE_DEVICES is \"") + visible +
         (*visible == '\0' ? "\", which hides all" : "\", and there is none of that number or name");
}

}  // namespace gradus::gpu
