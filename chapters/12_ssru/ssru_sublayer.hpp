#pragma once
/// \file
/// The SSRU as a sublayer of a decoder, in the place of its self-attention. Sizes: N rows, D columns, B sentences.

#include <string>

#include "00_foundations/linear.hpp"
#include "12_ssru/ssru.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicSsruParams {
  BasicLinearParams<Real, Space> input;   ///< w (D, D), without bias
  BasicLinearParams<Real, Space> forget;  ///< w (D, D), b (D)
};
template <class Dev>
using SsruParams = BasicSsruParams<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicSsruSublayerCache {
  View<Real, 2, Space> u, a;  ///< (N, D), the outputs of the two linear maps
  BasicSsruCache<Real, Space> scan;
};
template <class Dev>
using SsruSublayerCache = BasicSsruSublayerCache<typename Dev::Real, typename Dev::Space>;

/// The parameters `name`.input.w, `name`.forget.w and `name`.forget.b.
template <class Dev>
SsruParams<Dev> ssru_params(Binder<Dev>& bind, const std::string& name, std::size_t D) {
  return {linear_params(bind, name + ".input", D, D, false), linear_params(bind, name + ".forget", D, D, true)};
}

/// \defgroup ssru_sublayer ssru_sublayer
/// computes  u = x w,  a = x wf + bf,  y and last = ssru(u, a), from the states `first`                      (eq:12.1)
///           and backward  dx = du w^T + da wf^T                                                             (eq:12.9)
/// requires  x, y, dx, dy (N, D); first, last, dfirst, dlast (B, D) or absent, as ssru says; parameters as
///           BasicSsruParams says, else Error. dx may be dy.
/// ensures   y, last, dx and dfirst are overwritten, dp is added to. "Add & Norm" follows, as after any sublayer.
/// saves     u and a, and the cache of ssru.
/// @{
template <class Dev>
void ssru_sublayer_forward(Dev& dev, Out<Dev, 2> y, Out<Dev, 2> last, SsruSublayerCache<Dev>& c,
                           const Sequences<Dev>& x, In<Dev, 2> first, const SsruParams<Dev>& p) {
  const auto [N, D] = x.rows.extent;
  c.u = dev.kept.matrix(N, D);
  c.a = dev.kept.matrix(N, D);
  linear_forward(dev, c.u, x.rows, p.input);
  linear_forward(dev, c.a, x.rows, p.forget);  // eq:12.1
  ssru_forward(dev, y, last, c.scan, {c.u, c.a, first, x.segments});
}

template <class Dev>
void ssru_sublayer_backward(Dev& dev, Out<Dev, 2> dx, Out<Dev, 2> dfirst, const SsruParams<Dev>& dp, In<Dev, 2> dy,
                            In<Dev, 2> dlast, const Sequences<Dev>& x, In<Dev, 2> first,
                            const SsruSublayerCache<Dev>& c, const SsruParams<Dev>& p) {
  const auto [N, D] = x.rows.extent;
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> du = dev.scratch.matrix(N, D), da = dev.scratch.matrix(N, D);  // (N, D)
  ssru_backward(dev, {du, da, dfirst}, dy, dlast, {c.u, c.a, first, x.segments}, c.scan);
  linear_backward(dev, dx, dp.input, du, x.rows, p.input);
  linear_backward_add(dev, dx, dp.forget, da, x.rows, p.forget);  // eq:12.9
}
/// @}

}  // namespace gradus
