#pragma once
/// \file
/// A linear map, its activation and the dropout after it. Sizes: N rows, D columns in, F columns out.

#include "00_foundations/dropout.hpp"
#include "00_foundations/linear.hpp"
#include "06_feed_forward/activation.hpp"

namespace gradus {

struct LinearActivationOptions {
  Activation activation = Activation::relu;
  Dropout dropout;
};

template <class Real, class Space>
struct BasicLinearActivationCache {
  View<Real, 2, Space> z;  ///< (N, F), the input of the activation; for relu on Cpu and Cuda its output, y
};
template <class Dev>
using LinearActivationCache = BasicLinearActivationCache<typename Dev::Real, typename Dev::Space>;

/// \defgroup linear_activation linear_activation
/// computes  z = x w + b,  y = dropout(activation(z))                                              (eq:6.4)
///           and backward  dz = activation'(z) m dy, m the dropout mask; then as linear              (eq:6.7)
/// requires  x, dx (N, D), y, dy (N, F), w (D, F), b (F) or absent; 0 <= rate < 1, else Error. No output
///           overlaps an input.
/// ensures   y and dx are overwritten, dw and db are added to. An absent dx is not computed.
/// saves     z: the activation's derivative is taken there. The dropout mask is drawn again. For relu Cpu and Cuda save no z:
///           y tells the derivative and the mask, so the caller keeps y, unchanged, until backward.
/// @{
template <class Device, class Dev = Device>
using LinearActivationForward = void(Device& dev, Out<Dev, 2> y, LinearActivationCache<Dev>& cache, In<Dev, 2> x,
                                     const LinearParams<Dev>& p, const LinearActivationOptions& options);
template <class Dev>
LinearActivationForward<Dev> linear_activation_forward;
template <class Real, class Dev = Cpu<Real>>
LinearActivationForward<Cpu<Real>, Dev> linear_activation_forward;
template <class Real, class Dev = Cuda<Real>>
LinearActivationForward<Cuda<Real>, Dev> linear_activation_forward;

template <class Device, class Dev = Device>
using LinearActivationBackward = void(Device& dev, Out<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy,
                                      In<Dev, 2> x, const LinearActivationCache<Dev>& cache,
                                      const LinearParams<Dev>& p, const LinearActivationOptions& options);
template <class Dev>
LinearActivationBackward<Dev> linear_activation_backward;
template <class Real, class Dev = Cpu<Real>>
LinearActivationBackward<Cpu<Real>, Dev> linear_activation_backward;
template <class Real, class Dev = Cuda<Real>>
LinearActivationBackward<Cuda<Real>, Dev> linear_activation_backward;
/// @}

/// The checks of backward's arguments, the same on every device; `check_linear` and `check_rate` check forward's.
template <class Dev>
void check_linear_activation_backward(In<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                                      const LinearActivationCache<Dev>& cache, const LinearParams<Dev>& p,
                                      const LinearActivationOptions& options) {
  check_linear_backward<Dev>(dx, dp, dy, x, p);
  check_shape("linear_activation: z", cache.z, dy.extent);
  check_rate(options.dropout);
}

/// The definition of linear_activation, in plainer leaves. A device may overload it with one pass.
template <class Dev>
void linear_activation_forward(Dev& dev, Out<Dev, 2> y, LinearActivationCache<Dev>& cache, In<Dev, 2> x,
                               const LinearParams<Dev>& p, const LinearActivationOptions& options) {
  cache.z = dev.kept.matrix(y.extent[0], y.extent[1]);  // (N, F)
  linear_forward(dev, cache.z, x, p);
  activation_forward(dev, y, cache.z, options.activation);
  dropout_forward(dev, y, y, options.dropout);  // eq:6.4
}

template <class Dev>
void linear_activation_backward(Dev& dev, Out<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                                const LinearActivationCache<Dev>& cache, const LinearParams<Dev>& p,
                                const LinearActivationOptions& options) {
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> dz = dev.scratch.matrix(cache.z.extent[0], cache.z.extent[1]);  // (N, F)
  dropout_backward(dev, dz, dy, options.dropout);
  activation_backward(dev, dz, dz, cache.z, options.activation);  // eq:6.7
  linear_backward(dev, dx, dp, dz, x, p);
}

}  // namespace gradus
