#pragma once
/// \file
/// Layer norms with a right forward pass and a wrong gradient.

#include "05_layer_norm/layer_norm.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// Treats the variance as a constant in backward, like a value that is detached from the graph.
/// twin: detached-variance 05_layer_norm elsewhere finite-differences dual-numbers golden parity
/// twin: detached-variance 07_encoder elsewhere golden parity dual-numbers
template <class Base>
struct DetachedVariance : Base {
  static inline int calls = 0;
};
template <class Base>
void layer_norm_backward(DetachedVariance<Base>& dev, Out<Base, 2> dx, const NormParams<Base>& dp, In<Base, 2> dy,
                         In<Base, 2> x, const NormCache<Base>& cache, const NormParams<Base>& p) {
  ++dev.calls;
  gradus::layer_norm_backward(static_cast<Base&>(dev), dx, dp, dy, x, cache, p);
  const auto [N, D] = x.extent;
  for (std::size_t n = 0; n < N; ++n) {
    const double r = cache.rstd[n];
    double along = 0;
    for (std::size_t d = 0; d < D; ++d) {
      along += p.gamma[d] * dy.row(n)[d] * (x.row(n)[d] - cache.mean[n]) * r / static_cast<double>(D);
    }
    for (std::size_t d = 0; d < D; ++d) dx.row(n)[d] += r * (x.row(n)[d] - cache.mean[n]) * r * along;
  }
}

/// Forgets the mean's part of the gradient.
/// twin: no-mean-term 05_layer_norm own finite-differences dual-numbers golden parity
template <class Base>
struct NoMeanTerm : Base {
  static inline int calls = 0;
};
template <class Base>
void layer_norm_backward(NoMeanTerm<Base>& dev, Out<Base, 2> dx, const NormParams<Base>& dp, In<Base, 2> dy,
                         In<Base, 2> x, const NormCache<Base>& cache, const NormParams<Base>& p) {
  ++dev.calls;
  gradus::layer_norm_backward(static_cast<Base&>(dev), dx, dp, dy, x, cache, p);
  const auto [N, D] = x.extent;
  for (std::size_t n = 0; n < N; ++n) {
    double mean_g = 0;
    for (std::size_t d = 0; d < D; ++d) mean_g += p.gamma[d] * dy.row(n)[d] / static_cast<double>(D);
    for (std::size_t d = 0; d < D; ++d) dx.row(n)[d] += cache.rstd[n] * mean_g;
  }
}

/// Gain and shift get no gradient: they never learn.
/// twin: frozen-gain 05_layer_norm elsewhere finite-differences dual-numbers golden parity
/// twin: frozen-gain 07_encoder elsewhere golden parity dual-numbers
template <class Base>
struct FrozenGain : Base {
  static inline int calls = 0;
};
template <class Base>
void layer_norm_backward(FrozenGain<Base>& dev, Out<Base, 2> dx, const NormParams<Base>& dp, In<Base, 2> dy,
                         In<Base, 2> x, const NormCache<Base>& cache, const NormParams<Base>& p) {
  ++dev.calls;
  check_layer_norm<Base>(dy, x, dp);
  const std::size_t D = p.gamma.extent[0];
  const NormParams<Base> lost{dev.kept.vector(D), dev.kept.vector(D)};
  gradus::layer_norm_backward(static_cast<Base&>(dev), dx, lost, dy, x, cache, p);
}

/// Overwrites the gradients of gain and shift where it should add.
/// twin: norm-gradient-overwritten 05_layer_norm own contract -finite-differences -dual-numbers
template <class Base>
struct NormGradientOverwritten : Base {
  static inline int calls = 0;
};
template <class Base>
void layer_norm_backward(NormGradientOverwritten<Base>& dev, Out<Base, 2> dx, const NormParams<Base>& dp,
                         In<Base, 2> dy, In<Base, 2> x, const NormCache<Base>& cache, const NormParams<Base>& p) {
  ++dev.calls;
  fill(dev, dp.gamma, 0);
  fill(dev, dp.beta, 0);
  gradus::layer_norm_backward(static_cast<Base&>(dev), dx, dp, dy, x, cache, p);
}

}  // namespace gradus::wrong
