#pragma once
/// \file
/// One row of the norm, forward and backward: the code that layer_norm and add_norm share on the processor. Each
/// function makes a few passes over a row that stays in the first-level cache.

#include <cmath>
#include <cstddef>

#include "05_layer_norm/layer_norm.hpp"

namespace gradus {

template <class Real>
struct RowMoments {
  Real mean, rstd;
};

/// Mean and 1 / sqrt(variance + epsilon) of x (D). The variance is computed about the mean, in a second pass:
/// mean(x^2) - mean^2 would lose all digits for a row far from zero.
template <class Real>
RowMoments<Real> row_moments(const Real* x, std::size_t D, double epsilon) {
  Real sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t d = 0; d < D; ++d) sum += x[d];
  const Real mean = sum / static_cast<Real>(D);
#pragma omp simd reduction(+ : squares)
  for (std::size_t d = 0; d < D; ++d) squares += (x[d] - mean) * (x[d] - mean);
  const Real variance = squares / static_cast<Real>(D);
  return {mean, 1 / std::sqrt(variance + static_cast<Real>(epsilon))};
}

/// y = gamma (x - mean) rstd + beta; y does not overlap x.
template <class Real>
void normalise_row(Real* y, const Real* x, RowMoments<Real> m, const Real* gamma, const Real* beta, std::size_t D) {
#pragma omp simd
  for (std::size_t d = 0; d < D; ++d) y[d] = gamma[d] * ((x[d] - m.mean) * m.rstd) + beta[d];
}

/// The two means of eq:5.7, with g = gamma dy; also adds this row's terms to dgamma and dbeta.
template <class Real>
struct RowMeans {
  Real g, g_xhat;
};
template <class Real>
RowMeans<Real> accumulate_row(Real* dgamma, Real* dbeta, const Real* dy, const Real* x, RowMoments<Real> m,
                              const Real* gamma, std::size_t D) {
  Real sum_g = 0, sum_g_xhat = 0;
#pragma omp simd reduction(+ : sum_g, sum_g_xhat)
  for (std::size_t d = 0; d < D; ++d) {
    const Real xhat = (x[d] - m.mean) * m.rstd, g = gamma[d] * dy[d];
    dgamma[d] += dy[d] * xhat;
    dbeta[d] += dy[d];
    sum_g += g;
    sum_g_xhat += g * xhat;
  }
  return {sum_g / static_cast<Real>(D), sum_g_xhat / static_cast<Real>(D)};
}

}  // namespace gradus
