#pragma once
/// \file
/// The linear map. Sizes: N rows, `in` and `out` columns.

#include "gradus/device/device.hpp"
#include "gradus/device/in_parallel.hpp"
#include "gradus/ops/gemm.hpp"
#include "gradus/params/flat_vector.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicLinearParams {
  View<Real, 2, Space> w;  ///< (in, out)
  View<Real, 1, Space> b;  ///< (out), or absent
};
template <class Dev>
using LinearParams = BasicLinearParams<typename Dev::Real, typename Dev::Space>;

/// \defgroup linear linear
/// computes  y = x w + b                                                                     (eq:0.1)
///           and backward  dx = dy w^T,  dw += x^T dy,  db += sum of the rows of dy          (eq:0.3 to eq:0.5)
/// requires  x, dx (N, in), y, dy (N, out), w (in, out), b (out) or absent, else Error. No output overlaps an input.
/// ensures   y and dx are overwritten, dw and db are added to. An absent dx is not computed; an absent db means no
///           bias.
/// saves     nothing: backward gets x and w again.
/// @{
template <class Device, class Dev = Device>
using LinearForward = void(Device& dev, Out<Dev, 2> y, In<Dev, 2> x, const LinearParams<Dev>& p);
template <class Real, class Dev = Reference<Real>>
LinearForward<Reference<Real>, Dev> linear_forward;
template <class Real, class Dev = Cpu<Real>>
LinearForward<Cpu<Real>, Dev> linear_forward;
template <class Real, class Dev = Cuda<Real>>
LinearForward<Cuda<Real>, Dev> linear_forward;

template <class Device, class Dev = Device>
using LinearBackward = void(Device& dev, Out<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                            const LinearParams<Dev>& p);
template <class Real, class Dev = Reference<Real>>
LinearBackward<Reference<Real>, Dev> linear_backward;
template <class Real, class Dev = Cpu<Real>>
LinearBackward<Cpu<Real>, Dev> linear_backward;
template <class Real, class Dev = Cuda<Real>>
LinearBackward<Cuda<Real>, Dev> linear_backward;
/// @}

/// The parameters `name`.w and, with `bias`, `name`.b.
template <class Dev>
LinearParams<Dev> linear_params(Binder<Dev>& bind, const std::string& name, std::size_t in, std::size_t out,
                                bool bias) {
  return {bind.weight(name + ".w", in, out), bias ? bind.bias(name + ".b", out, in) : Out<Dev, 1>{}};
}

/// The checks of both directions, the same on every device.
template <class Dev>
void check_linear(In<Dev, 2> y, In<Dev, 2> x, const LinearParams<Dev>& p) {
  check_shape("linear: w", p.w, {x.extent[1], y.extent[1]});
  check_shape("linear: x", x, {y.extent[0], x.extent[1]});
  check_optional("linear: b", p.b, {y.extent[1]});
}

template <class Dev>
void check_linear_backward(In<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                           const LinearParams<Dev>& p) {
  check_shape("linear: dy", dy, {x.extent[0], p.w.extent[1]});
  check_linear<Dev>(dy, x, p);
  check_optional("linear: dx", dx, x.extent);
  check_shape("linear: dw", dp.w, p.w.extent);
  check_optional("linear: db", dp.b, {p.w.extent[1]});
}

/// computes  linear_backward for an x that has other readers too: its product adds to dx
/// requires  as linear_backward; also a dx, else Error
/// ensures   dx, dw and db are added to.
template <class Dev>
void linear_backward_add(Dev& dev, Acc<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                         const LinearParams<Dev>& p) {
  check_linear_backward<Dev>(dx, dp, dy, x, p);
  check_shape("linear: dx", dx, x.extent);
  in_parallel(
      dev, [&] { gemm_add(dev, dx, dy, transposed(p.w)); },
      [&] { linear_backward(dev, Out<Dev, 2>{}, dp, dy, x, p); });
}

}  // namespace gradus
