#pragma once
/// \file
/// The position-wise feed-forward network. Sizes: N rows, D columns, F inner width.

#include "06_feed_forward/linear_activation.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicFeedForwardParams {
  BasicLinearParams<Real, Space> inner;  ///< (D, F)
  BasicLinearParams<Real, Space> outer;  ///< (F, D)
};
template <class Dev>
using FeedForwardParams = BasicFeedForwardParams<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicFeedForwardCache {
  BasicLinearActivationCache<Real, Space> inner;
  View<Real, 2, Space> h;  ///< (N, F), the input of the outer map
};
template <class Dev>
using FeedForwardCache = BasicFeedForwardCache<typename Dev::Real, typename Dev::Space>;

/// The parameters `name`.inner and `name`.outer, each .w and .b.
template <class Dev>
FeedForwardParams<Dev> feed_forward_params(Binder<Dev>& bind, const std::string& name, std::size_t D,
                                           std::size_t F) {
  return {linear_params(bind, name + ".inner", D, F, true), linear_params(bind, name + ".outer", F, D, true)};
}

/// \defgroup feed_forward feed_forward
/// computes  h = dropout(activation(x w1 + b1)),  y = h w2 + b2                                     (eq:6.1)
///           (Vaswani et al. 2017, eq. 2). Rows are independent of each other. No activation after the outer map.
/// requires  x, y, dx, dy (N, D), inner (D, F), outer (F, D), else Error. No output overlaps an input.
/// ensures   y and dx are overwritten, the parameters' gradients are added to.
/// saves     h (N, F), and what linear_activation saves: z (N, F), but nothing for relu on Cpu and Cuda.
/// @{
template <class Dev>
void feed_forward_forward(Dev& dev, Out<Dev, 2> y, FeedForwardCache<Dev>& c, In<Dev, 2> x,
                          const FeedForwardParams<Dev>& p, const LinearActivationOptions& options) {
  c.h = dev.kept.matrix(x.extent[0], p.inner.w.extent[1]);  // (N, F)
  linear_activation_forward(dev, c.h, c.inner, x, p.inner, options);
  linear_forward(dev, y, c.h, p.outer);  // eq:6.1
}

template <class Dev>
void feed_forward_backward(Dev& dev, Out<Dev, 2> dx, const FeedForwardParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                           const FeedForwardCache<Dev>& c, const FeedForwardParams<Dev>& p,
                           const LinearActivationOptions& options) {
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> dh = dev.scratch.matrix(c.h.extent[0], c.h.extent[1]);  // (N, F)
  linear_backward(dev, dh, dp.outer, dy, c.h, p.outer);
  linear_activation_backward(dev, dx, dp.inner, dh, x, c.inner, p.inner, options);
}
/// @}

}  // namespace gradus
