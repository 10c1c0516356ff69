#pragma once
/// \file
/// Norms of a row with a wrong forward pass; layer_norm_gradients.hpp has those with a wrong backward pass.

#include <cmath>

#include "05_layer_norm/layer_norm.hpp"
#include "gradus/scalar/dual.hpp"
#include "wrong/layer_norm_gradients.hpp"

namespace gradus::wrong {

/// A layer norm with another formula in place of 1 / sqrt(variance + epsilon). Its backward fits its forward, as
/// automatic differentiation would give it, so finite differences accept it.
///
/// A Formula gives rstd from the sum of squares about the mean, and the derivative of rstd by that sum, times two.
template <class Base, class Formula>
struct OtherSpread : Base {
  static inline int calls = 0;
};
template <class Base, class Formula>
void layer_norm_forward(OtherSpread<Base, Formula>& dev, Out<Base, 2> y, NormCache<Base>& cache, In<Base, 2> x,
                        const NormParams<Base>& p) {
  using Real = typename Base::Real;
  ++dev.calls;
  gradus::layer_norm_forward(static_cast<Base&>(dev), y, cache, x, p);
  const auto [N, D] = x.extent;
  for (std::size_t n = 0; n < N; ++n) {
    Real squares = 0;
    for (std::size_t d = 0; d < D; ++d) {
      squares += (x.row(n)[d] - cache.mean[n]) * (x.row(n)[d] - cache.mean[n]);
    }
    const Real rstd = Formula::rstd(squares, static_cast<double>(D));
    for (std::size_t d = 0; d < D; ++d)
      y.row(n)[d] = p.gamma[d] * ((x.row(n)[d] - cache.mean[n]) * rstd) + p.beta[d];
  }
}
template <class Base, class Formula>
void layer_norm_backward(OtherSpread<Base, Formula>& dev, Out<Base, 2> dx, const NormParams<Base>& dp,
                         In<Base, 2> dy, In<Base, 2> x, const NormCache<Base>& cache, const NormParams<Base>& p) {
  ++dev.calls;
  const auto [N, D] = x.extent;
  for (std::size_t n = 0; n < N; ++n) {
    double squares = 0, mean_g = 0, along = 0;
    for (std::size_t d = 0; d < D; ++d) {
      const double c = x.row(n)[d] - cache.mean[n], g = p.gamma[d] * dy.row(n)[d];
      squares += c * c;
      mean_g += g / static_cast<double>(D);
      along += g * c;
    }
    const double rstd = Formula::rstd(squares, static_cast<double>(D));
    const double slope = Formula::twice_slope(squares, static_cast<double>(D));
    for (std::size_t d = 0; d < D; ++d) {
      const double c = x.row(n)[d] - cache.mean[n], g = p.gamma[d] * dy.row(n)[d];
      dp.gamma[d] += dy.row(n)[d] * c * rstd;
      dp.beta[d] += dy.row(n)[d];
      dx.row(n)[d] = rstd * (g - mean_g) + slope * along * c;
    }
  }
}

/// Sample standard deviation, epsilon added after the root: singular for a constant row.
struct SampleDeviationFormula {
  template <class Real>
  static Real rstd(Real squares, double D) {
    using std::sqrt;
    return Real(1) / (sqrt(squares / Real(D - 1)) + Real(layer_norm_epsilon));
  }
  static double twice_slope(double squares, double D) {
    const double deviation = std::sqrt(squares / (D - 1)), r = rstd(squares, D);
    return -r * r / (deviation * (D - 1));
  }
};
/// twin: sample-deviation 05_layer_norm tutorial golden parity dual-numbers -finite-differences
/// twin: sample-deviation 07_encoder tutorial golden parity dual-numbers
template <class Base>
using SampleDeviation = OtherSpread<Base, SampleDeviationFormula>;

/// Epsilon added after the root, to a deviation that is divided by D.
struct EpsilonOutsideRootFormula {
  template <class Real>
  static Real rstd(Real squares, double D) {
    using std::sqrt;
    return Real(1) / (sqrt(squares / Real(D)) + Real(layer_norm_epsilon));
  }
  static double twice_slope(double squares, double D) {
    const double deviation = std::sqrt(squares / D), r = rstd(squares, D);
    return -r * r / (deviation * D);
  }
};
/// twin: epsilon-outside-root 05_layer_norm own golden parity dual-numbers -finite-differences
template <class Base>
using EpsilonOutsideRoot = OtherSpread<Base, EpsilonOutsideRootFormula>;

/// Variance divided by D - 1, epsilon in the right place.
struct SampleVarianceFormula {
  template <class Real>
  static Real rstd(Real squares, double D) {
    using std::sqrt;
    return Real(1) / sqrt(squares / Real(D - 1) + Real(layer_norm_epsilon));
  }
  static double twice_slope(double squares, double D) { return -std::pow(rstd(squares, D), 3) / (D - 1); }
};
/// twin: sample-variance 05_layer_norm tutorial golden parity dual-numbers -finite-differences
template <class Base>
using SampleVariance = OtherSpread<Base, SampleVarianceFormula>;

/// No epsilon at all.
struct NoEpsilonFormula {
  template <class Real>
  static Real rstd(Real squares, double D) {
    using std::sqrt;
    return Real(1) / sqrt(squares / Real(D));
  }
  static double twice_slope(double squares, double D) { return -std::pow(rstd(squares, D), 3) / D; }
};
/// twin: no-epsilon 05_layer_norm tutorial golden parity dual-numbers -finite-differences
/// twin: no-epsilon 07_encoder tutorial golden parity dual-numbers
/// twin: no-epsilon 08_decoder tutorial golden parity dual-numbers
/// twin: no-epsilon 09_transformer tutorial golden parity dual-numbers
template <class Base>
using NoEpsilon = OtherSpread<Base, NoEpsilonFormula>;

/// An epsilon that is too small for single precision. Used on every device at once.
struct TinyEpsilonFormula {
  template <class Real>
  static Real rstd(Real squares, double D) {
    using std::sqrt;
    return Real(1) / sqrt(squares / Real(D) + Real(1e-12));
  }
  static double twice_slope(double squares, double D) { return -std::pow(rstd(squares, D), 3) / D; }
};
/// twin: tiny-epsilon 05_layer_norm tutorial golden -finite-differences -dual-numbers -parity
template <class Base>
using TinyEpsilon = OtherSpread<Base, TinyEpsilonFormula>;

/// One gain and one shift for all columns.
/// twin: one-gain 05_layer_norm tutorial golden parity dual-numbers -finite-differences
/// twin: one-gain 07_encoder tutorial golden parity dual-numbers
template <class Base>
struct OneGain : Base {
  static inline int calls = 0;
};
template <class Base>
NormParams<Base> first_of_each(Base& dev, const NormParams<Base>& p) {
  const std::size_t D = p.gamma.extent[0];
  const NormParams<Base> one{dev.kept.vector(D), dev.kept.vector(D)};
  for (std::size_t d = 0; d < D; ++d) one.gamma[d] = p.gamma[0], one.beta[d] = p.beta[0];
  return one;
}
template <class Base>
void layer_norm_forward(OneGain<Base>& dev, Out<Base, 2> y, NormCache<Base>& cache, In<Base, 2> x,
                        const NormParams<Base>& p) {
  ++dev.calls;
  check_layer_norm<Base>(y, x, p);
  gradus::layer_norm_forward(static_cast<Base&>(dev), y, cache, x, first_of_each<Base>(dev, p));
}
template <class Base>
void layer_norm_backward(OneGain<Base>& dev, Out<Base, 2> dx, const NormParams<Base>& dp, In<Base, 2> dy,
                         In<Base, 2> x, const NormCache<Base>& cache, const NormParams<Base>& p) {
  ++dev.calls;
  const std::size_t D = p.gamma.extent[0];
  const NormParams<Base> each{dev.kept.vector(D), dev.kept.vector(D)};
  for (std::size_t d = 0; d < D; ++d) each.gamma[d] = each.beta[d] = 0;
  gradus::layer_norm_backward(static_cast<Base&>(dev), dx, each, dy, x, cache, first_of_each<Base>(dev, p));
  for (std::size_t d = 0; d < D; ++d) dp.gamma[0] += each.gamma[d], dp.beta[0] += each.beta[d];
}

/// Batch norm: mean and variance of each column over the rows of the batch. Backward is unchanged.
/// twin: batch-norm 05_layer_norm own finite-differences golden parity
template <class Base>
struct BatchNorm : Base {
  static inline int calls = 0;
};
template <class Base>
void layer_norm_forward(BatchNorm<Base>& dev, Out<Base, 2> y, NormCache<Base>& cache, In<Base, 2> x,
                        const NormParams<Base>& p) {
  ++dev.calls;
  gradus::layer_norm_forward(static_cast<Base&>(dev), y, cache, x, p);
  const auto [N, D] = x.extent;
  for (std::size_t d = 0; d < D; ++d) {
    double mean = 0, variance = 0;
    for (std::size_t n = 0; n < N; ++n) mean += x.row(n)[d] / static_cast<double>(N);
    for (std::size_t n = 0; n < N; ++n)
      variance += (x.row(n)[d] - mean) * (x.row(n)[d] - mean) / static_cast<double>(N);
    const double rstd = 1 / std::sqrt(variance + layer_norm_epsilon);
    for (std::size_t n = 0; n < N; ++n) y.row(n)[d] = p.gamma[d] * (x.row(n)[d] - mean) * rstd + p.beta[d];
  }
}

}  // namespace gradus::wrong
