#pragma once
/// \file
/// Dropout inside kernels. The values that change with each step (seed, step, row offset) are read from the
/// device's step state, so a recorded launch draws a new mask in each replay.

#include "gradus/device/cuda.hpp"
#include "gradus/random/dropout_draw.hpp"

namespace gradus {

/// A dropout as a kernel argument.
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
