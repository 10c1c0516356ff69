#pragma once
/// \file
/// Dropout inside kernels. The values that change with each step (seed, step, row offset) are read from the
/// device's step state, so a recorded launch draws a new mask in each replay.

#include <array>
#include <cstdint>

#include "gradus/device/cuda.hpp"
#include "gradus/random/dropout_draw.hpp"

namespace gradus {

/// A dropout as a kernel argument. The host computes the threshold and the factors, because they take a division and
/// a multiplication in double: a kernel of float has no double.
template <class Real>
struct KernelDropout {
  const StepState* state;  ///< in device memory
  std::uint64_t threshold;
  std::array<Real, 2> factor;  ///< of a unit that is dropped, 0, and of one that is kept: eight bytes or more
  std::uint32_t site;
  Side side;

  constexpr DropoutDraw draw() const {
    DropoutDraw draw(Dropout{0, site, side}, *state);  // at rate 0 the compiler knows the two values below
    draw.threshold = threshold;
    draw.kept_factor = static_cast<double>(factor[1]);  // `factors` converts it back: no instruction is left
    return draw;
  }
};

template <class Real>
KernelDropout<Real> kernel_dropout(const Cuda<Real>& dev, const Dropout& dropout) {
  const auto kept = static_cast<Real>(1 / (1 - dropout.rate));
  return {dev.device_state(), dropout_threshold(dropout.rate), {Real(0), kept}, dropout.site, dropout.side};
}

}  // namespace gradus
