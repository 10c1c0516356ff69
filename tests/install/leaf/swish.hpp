#pragma once
/// \file
/// A leaf outside of the tree of gradus: swish (Ramachandran et al. 2017), with a slope for each column.

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace mine {

using gradus::Acc;
using gradus::Cpu;
using gradus::In;
using gradus::Out;
using gradus::Reference;

/// computes  y = x s(beta x), with s(a) = 1 / (1 + exp(-a)) and one beta for each column
///           dx = dy (s + beta x s (1 - s)),   dbeta = sum over rows of dy x^2 s (1 - s)
/// requires  x, y, dx, dy (N, F), beta, dbeta (F), else Error
/// ensures   y and dx are overwritten, dbeta is added to.
/// saves     nothing: backward gets x again.
template <class Device, class Dev = Device>
using SwishForward = void(Device& dev, Out<Dev, 2> y, In<Dev, 2> x, In<Dev, 1> beta);
template <class Real, class Dev = Reference<Real>>
SwishForward<Reference<Real>, Dev> swish_forward;
template <class Real, class Dev = Cpu<Real>>
SwishForward<Cpu<Real>, Dev> swish_forward;

template <class Device, class Dev = Device>
using SwishBackward = void(Device& dev, Out<Dev, 2> dx, Acc<Dev, 1> dbeta, In<Dev, 2> dy, In<Dev, 2> x,
                           In<Dev, 1> beta);
template <class Real, class Dev = Reference<Real>>
SwishBackward<Reference<Real>, Dev> swish_backward;
template <class Real, class Dev = Cpu<Real>>
SwishBackward<Cpu<Real>, Dev> swish_backward;

/// The check of both directions, the same on every device.
template <class Dev>
void check_swish(In<Dev, 2> y, In<Dev, 2> x, In<Dev, 1> beta) {
  gradus::check_shape("swish: y", y, x.extent);
  gradus::check_shape("swish: beta", beta, {x.extent[1]});
}

}  // namespace mine
