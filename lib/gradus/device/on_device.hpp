#pragma once
/// \file
/// The one place that turns a choice of device into a type.

#include <string>

#include "gradus/device/choice.hpp"
#include "gradus/device/device.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

/// Whether the program holds kernels for a GPU. CMake sets it (GRADUS_CUDA).
inline constexpr bool has_kernels = GRADUS_HAS_KERNELS;

/// The reason why no GPU can be used; empty if one can.
inline std::string missing_for_gpu() {
  if constexpr (has_kernels) return gpu::what_is_missing();
  return "this program was built without CUDA; `make cuda` builds one with it, on a machine that has nvcc";
}

/// Whether to compute on a GPU. Throws UsageError if the user asks for a GPU and it cannot be used.
inline bool takes_gpu(DeviceChoice wanted) {
  if (wanted == DeviceChoice::cpu) return false;
  const std::string missing = missing_for_gpu();
  if (wanted == DeviceChoice::cuda && !missing.empty()) throw UsageError("--device cuda: " + missing);
  return missing.empty();
}

/// The products of a training whose plan names none. `taken` is cpu or cuda.
constexpr Products default_products(DeviceChoice taken) {
  return taken == DeviceChoice::cuda ? Cuda<float>::default_products : Cpu<float>::default_products;
}

/// A device's type as a value, to pass to a function.
template <class D>
struct DeviceType {
  using Dev = D;
};

/// Returns `f(DeviceType<Dev>())` for the chosen device.
template <class F>
auto on_device(DeviceChoice wanted, F&& f) {
  if constexpr (has_kernels) {
    if (takes_gpu(wanted)) return f(DeviceType<Cuda<float>>());
  }
  takes_gpu(wanted);  // throws if the user asks for a GPU
  return f(DeviceType<Cpu<float>>());
}

}  // namespace gradus
