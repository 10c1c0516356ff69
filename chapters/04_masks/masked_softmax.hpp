#pragma once
/// \file
/// Softmax over the keys that a mask allows. Sizes: B sentences, H heads, T queries, S keys, padded to the longest.

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// \defgroup masked_softmax masked softmax
/// computes  p = exp(s - max) / sum of exp(s - max), maximum and sum over the keys with mask = 1; p = 0 where
///           mask = 0 (eq:4.3);  backward  ds = p (dp - sum over keys of p dp)                         (eq:4.5)
/// requires  s, p, ds, dp (B, H, T, S), mask (B, T, S) with 1 = may attend and 0 = may not, else Error. p may be s,
///           and ds may be dp.
/// ensures   p and ds are overwritten. The scores of masked keys have no effect, even if they are infinite or NaN.
///           A row without an allowed key has p = 0 and ds = 0.
/// saves     nothing: backward needs only p, the output, which the caller keeps. Masked keys are zeros in p.
/// @{
template <class Device, class Dev = Device>
using MaskedSoftmaxForward = void(Device& dev, Out<Dev, 4> p, In<Dev, 4> s, Ints<Dev, 3> mask);
template <class Real, class Dev = Reference<Real>>
MaskedSoftmaxForward<Reference<Real>, Dev> masked_softmax_forward;
template <class Real, class Dev = Cpu<Real>>
MaskedSoftmaxForward<Cpu<Real>, Dev> masked_softmax_forward;
template <class Real, class Dev = Cuda<Real>>
MaskedSoftmaxForward<Cuda<Real>, Dev> masked_softmax_forward;

template <class Device, class Dev = Device>
using MaskedSoftmaxBackward = void(Device& dev, Out<Dev, 4> ds, In<Dev, 4> dp, In<Dev, 4> p);
template <class Real, class Dev = Reference<Real>>
MaskedSoftmaxBackward<Reference<Real>, Dev> masked_softmax_backward;
template <class Real, class Dev = Cpu<Real>>
MaskedSoftmaxBackward<Cpu<Real>, Dev> masked_softmax_backward;
template <class Real, class Dev = Cuda<Real>>
MaskedSoftmaxBackward<Cuda<Real>, Dev> masked_softmax_backward;
/// @}

template <class Dev>
void check_masked_softmax(In<Dev, 4> p, In<Dev, 4> s, Ints<Dev, 3> mask) {
  check_shape("masked_softmax: p", p, s.extent);
  check_shape("masked_softmax: mask", mask, {s.extent[0], s.extent[2], s.extent[3]});
}

template <class Dev>
void check_masked_softmax_gradient(In<Dev, 4> ds, In<Dev, 4> dp, In<Dev, 4> p) {
  check_shape("masked_softmax: ds", ds, p.extent);
  check_shape("masked_softmax: dp", dp, p.extent);
}

}  // namespace gradus
