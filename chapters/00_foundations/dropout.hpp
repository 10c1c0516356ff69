#pragma once
/// \file
/// Dropout. Sizes: N rows, D columns.

#include "gradus/device/device.hpp"
#include "gradus/random/dropout_draw.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// \defgroup dropout dropout
/// computes  y = m x,  backward  dx = m dy,  with m = 0 with probability `rate`, else 1 / (1 - rate)      (eq:0.2)
///           (Srivastava et al. 2014, in the form that does not change evaluation). DropoutDraw draws m from the
///           device's step state.
/// requires  x, y, dx, dy (N, D); 0 <= rate < 1, else Error. y may be x itself, and dx may be dy.
/// ensures   y and dx are overwritten; at rate 0 they are copies.
/// saves     nothing: backward draws m again.
/// @{
template <class Device, class Dev = Device>
using DropoutForward = void(Device& dev, Out<Dev, 2> y, In<Dev, 2> x, const Dropout& dropout);
template <class Real, class Dev = Reference<Real>>
DropoutForward<Reference<Real>, Dev> dropout_forward;
template <class Real, class Dev = Cpu<Real>>
DropoutForward<Cpu<Real>, Dev> dropout_forward;
template <class Real, class Dev = Cuda<Real>>
DropoutForward<Cuda<Real>, Dev> dropout_forward;

template <class Device, class Dev = Device>
using DropoutBackward = void(Device& dev, Out<Dev, 2> dx, In<Dev, 2> dy, const Dropout& dropout);
template <class Real, class Dev = Reference<Real>>
DropoutBackward<Reference<Real>, Dev> dropout_backward;
template <class Real, class Dev = Cpu<Real>>
DropoutBackward<Cpu<Real>, Dev> dropout_backward;
template <class Real, class Dev = Cuda<Real>>
DropoutBackward<Cuda<Real>, Dev> dropout_backward;
/// @}

inline void check_rate(const Dropout& dropout) {
  if (!(dropout.rate >= 0 && dropout.rate < 1)) {
    fail("dropout: rate " + std::to_string(dropout.rate) + " is not in [0, 1)");
  }
}

template <class Dev>
void check_dropout(Out<Dev, 2> y, In<Dev, 2> x, const Dropout& dropout) {
  check_shape("dropout: y", y, x.extent);
  check_rate(dropout);
}

}  // namespace gradus
