#pragma once
/// \file
/// Dropout inside kernels. What a step changes (seed, step, row offset) is read from the device's step state, so a
/// recorded launch draws a new mask in each replay.

#include "gradus/device/cuda.hpp"
#include "gradus/random/dropout_draw.hpp"

namespace gradus {

/// A dropout as an argument of a kernel.
struct KernelDropout {
  Dropout dropout;
  const StepState* state;  ///< in device memory

  constexpr DropoutDraw draw() const { return {dropout, *state}; }
};

template <class Real>
KernelDropout kernel_dropout(const Cuda<Real>& dev, const Dropout& dropout) {
  return {dropout, dev.device_state()};
}

}  // namespace gradus
