#pragma once
/// \file
/// Layer normalisation. Sizes: N rows, D columns.

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// Added to the variance inside the root, unless a model has another epsilon. It keeps the result of a constant row finite,
/// and is far below a variance of 1.
constexpr double layer_norm_epsilon = 1e-5;

enum class NormForm : int;  // norm.hpp; its first value is layer

template <class Real, class Space>
struct BasicNormParams {
  View<Real, 1, Space> gamma;  ///< (D), one gain for each column
  View<Real, 1, Space> beta;   ///< (D), one shift for each column
  NormForm form{};             ///< what norm_forward computes with them
  double epsilon = layer_norm_epsilon;
};
template <class Dev>
using NormParams = BasicNormParams<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicNormCache {
  View<Real, 1, Space> mean;  ///< (N)
  View<Real, 1, Space> rstd;  ///< (N), 1 / sqrt(variance + epsilon)
};
template <class Dev>
using NormCache = BasicNormCache<typename Dev::Real, typename Dev::Space>;

/// \defgroup layer_norm layer_norm
/// computes  y = gamma xhat + beta,  xhat = (x - mean) rstd,  rstd = 1 / sqrt(variance + epsilon)
///           row by row; the variance is the biased one, divided by D (Ba, Kiros, Hinton 2016)   (eq:5.1 to eq:5.3)
///           and backward, with g = gamma dy:  dgamma += sum over the rows of dy xhat,  dbeta += sum over the
///           rows of dy,  dx = rstd (g - mean(g) - xhat mean(g xhat))                             (eq:5.5 to eq:5.7)
/// requires  x, y, dx, dy (N, D); gamma, beta (D), else Error. y does not overlap x, which backward needs;
///           dx may be dy.
/// ensures   y and dx are overwritten, dgamma and dbeta are added to.
/// saves     mean and rstd, two numbers for each row: xhat is cheap to compute again from x, and as large as x.
/// @{
template <class Device, class Dev = Device>
using LayerNormForward = void(Device& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x,
                              const NormParams<Dev>& p);
template <class Real, class Dev = Reference<Real>>
LayerNormForward<Reference<Real>, Dev> layer_norm_forward;
template <class Real, class Dev = Cpu<Real>>
LayerNormForward<Cpu<Real>, Dev> layer_norm_forward;
template <class Real, class Dev = Cuda<Real>>
LayerNormForward<Cuda<Real>, Dev> layer_norm_forward;

template <class Device, class Dev = Device>
using LayerNormBackward = void(Device& dev, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                               const NormCache<Dev>& cache, const NormParams<Dev>& p);
template <class Real, class Dev = Reference<Real>>
LayerNormBackward<Reference<Real>, Dev> layer_norm_backward;
template <class Real, class Dev = Cpu<Real>>
LayerNormBackward<Cpu<Real>, Dev> layer_norm_backward;
template <class Real, class Dev = Cuda<Real>>
LayerNormBackward<Cuda<Real>, Dev> layer_norm_backward;
/// @}

/// The check of forward, the same on every device.
template <class Dev>
void check_layer_norm(In<Dev, 2> y, In<Dev, 2> x, const NormParams<Dev>& p) {
  check_shape("layer_norm: y", y, x.extent);
  check_shape("layer_norm: gamma", p.gamma, {x.extent[1]});
  check_shape("layer_norm: beta", p.beta, {x.extent[1]});
}

/// The check of backward.
template <class Dev>
void check_layer_norm_backward(In<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                               const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  check_shape("layer_norm: dy", dy, x.extent);
  check_shape("layer_norm: dx", dx, x.extent);
  check_shape("layer_norm: gamma", p.gamma, {x.extent[1]});
  check_shape("layer_norm: dgamma", dp.gamma, {x.extent[1]});
  check_shape("layer_norm: dbeta", dp.beta, {x.extent[1]});
  check_shape("layer_norm: mean", cache.mean, {x.extent[0]});
  check_shape("layer_norm: rstd", cache.rstd, {x.extent[0]});
}

}  // namespace gradus
