#pragma once
/// \file
/// The non-linearity between the two maps of the feed-forward network. Sizes: N rows, F columns.

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

enum class Activation {
  relu,  ///< max(0, x): the paper's
  gelu,  ///< x Phi(x), Phi the distribution function of the standard normal (Hendrycks, Gimpel 2016), by erf
  swish  ///< x sigma(x), sigma the logistic function (Ramachandran et al. 2017); also called SiLU
};

template <>
struct Names<Activation> {
  static constexpr const char* noun = "activation";
  static constexpr Name<Activation> table[] = {
      {Activation::relu, "relu"}, {Activation::gelu, "gelu"}, {Activation::swish, "swish"}};
};

constexpr double root_half = 0.70710678118654752;          ///< 1 / sqrt(2)
constexpr double one_over_root_2pi = 0.39894228040143268;  ///< phi(0), the normal density at its peak

/// \defgroup activation activation
/// computes  y = relu(x) = max(0, x)                          dx = [x > 0] dy                  (eq:6.2, eq:6.5)
///       or  y = gelu(x) = x (1 + erf(x / sqrt(2))) / 2        dx = (Phi(x) + x phi(x)) dy      (eq:6.3, eq:6.6)
///           with phi the density of the standard normal. At the kink relu's derivative is 0.
///       or  y = swish(x) = x sigma(x)                         dx = sigma (1 + x (1 - sigma)) dy     (eq:6.8, eq:6.9)
///           with sigma(x) = 1 / (1 + exp(-x))
/// requires  x, y, dx, dy (N, F), else Error. y does not overlap x, which backward needs; dx may be dy.
/// ensures   y and dx are overwritten.
/// saves     nothing: backward gets x again.
/// @{
template <class Device, class Dev = Device>
using ActivationForward = void(Device& dev, Out<Dev, 2> y, In<Dev, 2> x, Activation activation);
template <class Real, class Dev = Reference<Real>>
ActivationForward<Reference<Real>, Dev> activation_forward;
template <class Real, class Dev = Cpu<Real>>
ActivationForward<Cpu<Real>, Dev> activation_forward;
template <class Real, class Dev = Cuda<Real>>
ActivationForward<Cuda<Real>, Dev> activation_forward;

template <class Device, class Dev = Device>
using ActivationBackward = void(Device& dev, Out<Dev, 2> dx, In<Dev, 2> dy, In<Dev, 2> x, Activation activation);
template <class Real, class Dev = Reference<Real>>
ActivationBackward<Reference<Real>, Dev> activation_backward;
template <class Real, class Dev = Cpu<Real>>
ActivationBackward<Cpu<Real>, Dev> activation_backward;
template <class Real, class Dev = Cuda<Real>>
ActivationBackward<Cuda<Real>, Dev> activation_backward;
/// @}

/// The check of both directions, the same on every device.
template <class Dev>
void check_activation(In<Dev, 2> y, In<Dev, 2> x) {
  check_shape("activation: y", y, x.extent);
}

}  // namespace gradus
