#pragma once
/// \file
/// One row of the norm by one warp, forward and backward: the code that the kernels of layer_norm and add_norm
/// share. A lane takes every 32nd column, so a warp reads whole lines of memory; warp_sum gives each sum to every
/// lane.

#include "05_layer_norm/layer_norm.hpp"
#include "gradus/kernels/column_sums.hpp"

namespace gradus {

template <class Real>
struct WarpMoments {
  Real mean, rstd;
};

/// Mean and 1 / sqrt(variance + epsilon) of x (D); the variance about the mean, in a second pass.
template <class Real>
__device__ WarpMoments<Real> warp_moments(const Real* x, std::size_t D, Real epsilon, unsigned lane) {
  Real sum = 0, squares = 0;
  for (std::size_t d = lane; d < D; d += 32) sum += x[d];
  const Real mean = gpu::warp_sum(sum) / static_cast<Real>(D);
  for (std::size_t d = lane; d < D; d += 32) squares += (x[d] - mean) * (x[d] - mean);
  const Real variance = gpu::warp_sum(squares) / static_cast<Real>(D);
  return {mean, 1 / sqrt(variance + epsilon)};
}

/// y = gamma (x - mean) rstd + beta
template <class Real>
__device__ void warp_normalise(Real* y, const Real* x, WarpMoments<Real> m, const Real* gamma, const Real* beta,
                               std::size_t D, unsigned lane) {
  for (std::size_t d = lane; d < D; d += 32) y[d] = gamma[d] * ((x[d] - m.mean) * m.rstd) + beta[d];
}

/// The two means of eq:5.7, with g = gamma dy.
template <class Real>
struct WarpMeans {
  Real g, g_xhat;
};
template <class Real>
__device__ WarpMeans<Real> warp_means(const Real* dy, const Real* x, WarpMoments<Real> m, const Real* gamma,
                                      std::size_t D, unsigned lane) {
  Real g = 0, g_xhat = 0;
  for (std::size_t d = lane; d < D; d += 32) {
    const Real one = gamma[d] * dy[d];
    g += one;
    g_xhat += one * ((x[d] - m.mean) * m.rstd);
  }
  return {gpu::warp_sum(g) / static_cast<Real>(D), gpu::warp_sum(g_xhat) / static_cast<Real>(D)};
}

/// A row's terms of dgamma and dbeta (eq:5.5, eq:5.6). These are sums over rows, and other rows belong to other
/// warps; so threads add them column by column, in layer_norm by a separate launch.
template <class Real>
struct ParameterTerm {
  View<const Real, 2, Gpu> dy, x;
  View<const Real, 1, Gpu> mean, rstd;
  __device__ std::array<Real, 2> operator()(std::size_t n, std::size_t d) const {
    return {dy.row(n)[d] * ((x.row(n)[d] - mean[n]) * rstd[n]), dy.row(n)[d]};
  }
};

template <class Real, class Dev = Cuda<Real>>
void add_parameter_gradients(Cuda<Real>& dev, const NormParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                             const NormCache<Dev>& cache) {
  gpu::add_column_sums<Real, 2>(dev, {dp.gamma, dp.beta}, x.extent[0],
                                ParameterTerm<Real>{dy, x, cache.mean, cache.rstd});
}

}  // namespace gradus
