#pragma once
/// \file
/// Wrong activations and feed-forward networks.

#include <cmath>

#include "06_feed_forward/feed_forward.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// An activation after the outer map as well. Backward fits.
/// twin: activation-after-outer 06_feed_forward tutorial golden parity dual-numbers -finite-differences
/// twin: activation-after-outer 07_encoder tutorial golden parity dual-numbers
template <class Base>
struct ActivationAfterOuter : Base {
  static inline int calls = 0;
  static inline Out<Base, 2> outer;  ///< the output of the outer map: the wrong network's own cache
};
template <class Base>
void feed_forward_forward(ActivationAfterOuter<Base>& dev, Out<Base, 2> y, FeedForwardCache<Base>& c, In<Base, 2> x,
                          const FeedForwardParams<Base>& p, const LinearActivationOptions& options) {
  ++dev.calls;
  dev.outer = dev.kept.matrix(y.extent[0], y.extent[1]);
  feed_forward_forward(static_cast<Base&>(dev), dev.outer, c, x, p, options);
  activation_forward(static_cast<Base&>(dev), y, dev.outer, options.activation);
}
template <class Base>
void feed_forward_backward(ActivationAfterOuter<Base>& dev, Out<Base, 2> dx, const FeedForwardParams<Base>& dp,
                           In<Base, 2> dy, In<Base, 2> x, const FeedForwardCache<Base>& c,
                           const FeedForwardParams<Base>& p, const LinearActivationOptions& options) {
  ++dev.calls;
  const Out<Base, 2> d_outer = dev.kept.matrix(dy.extent[0], dy.extent[1]);
  activation_backward(static_cast<Base&>(dev), d_outer, dy, dev.outer, options.activation);
  feed_forward_backward(static_cast<Base&>(dev), dx, dp, d_outer, x, c, p, options);
}

/// One map instead of two, the inner one's first D columns: a square layer followed by an activation.
/// twin: one-square-map 06_feed_forward tutorial golden parity dual-numbers
template <class Base>
struct OneSquareMap : Base {
  static inline int calls = 0;
};
template <class Base>
LinearParams<Base> square(const FeedForwardParams<Base>& p) {
  const std::size_t D = p.inner.w.extent[0];
  return {columns(p.inner.w, 0, D), slice(p.inner.b, 0, D)};
}
template <class Base>
void feed_forward_forward(OneSquareMap<Base>& dev, Out<Base, 2> y, FeedForwardCache<Base>& c, In<Base, 2> x,
                          const FeedForwardParams<Base>& p, const LinearActivationOptions& options) {
  ++dev.calls;
  linear_activation_forward(static_cast<Base&>(dev), y, c.inner, x, square<Base>(p), options);
}
template <class Base>
void feed_forward_backward(OneSquareMap<Base>& dev, Out<Base, 2> dx, const FeedForwardParams<Base>& dp,
                           In<Base, 2> dy, In<Base, 2> x, const FeedForwardCache<Base>& c,
                           const FeedForwardParams<Base>& p, const LinearActivationOptions& options) {
  ++dev.calls;
  linear_activation_backward(static_cast<Base&>(dev), dx, square<Base>(dp), dy, x, c.inner, square<Base>(p),
                             options);
}

/// No activation between the maps: two linear maps are one.
/// twin: no-activation 06_feed_forward own golden parity dual-numbers -finite-differences
/// twin: no-activation 07_encoder own golden parity dual-numbers
template <class Base>
struct NoActivation : Base {
  static inline int calls = 0;
};
template <class Base>
void activation_forward(NoActivation<Base>& dev, Out<Base, 2> y, In<Base, 2> x, Activation) {
  ++dev.calls;
  copy(dev, y, x);
}
template <class Base>
void activation_backward(NoActivation<Base>& dev, Out<Base, 2> dx, In<Base, 2> dy, In<Base, 2>, Activation) {
  ++dev.calls;
  if (dx.data != dy.data) copy(dev, dx, dy);
}

/// The layer has a dropout rate and does not pass it on.
/// twin: rate-not-handed-on 06_feed_forward tutorial golden parity dual-numbers -finite-differences
/// twin: rate-not-handed-on 07_encoder tutorial golden parity dual-numbers
template <class Base>
struct RateNotHandedOn : Base {
  static inline int calls = 0;
};
template <class Base>
void linear_activation_forward(RateNotHandedOn<Base>& dev, Out<Base, 2> y, LinearActivationCache<Base>& cache,
                               In<Base, 2> x, const LinearParams<Base>& p, const LinearActivationOptions& options) {
  ++dev.calls;
  gradus::linear_activation_forward(static_cast<Base&>(dev), y, cache, x, p,
                                    LinearActivationOptions{options.activation, {}});
}
template <class Base>
void linear_activation_backward(RateNotHandedOn<Base>& dev, Out<Base, 2> dx, const LinearParams<Base>& dp,
                                In<Base, 2> dy, In<Base, 2> x, const LinearActivationCache<Base>& cache,
                                const LinearParams<Base>& p, const LinearActivationOptions& options) {
  ++dev.calls;
  gradus::linear_activation_backward(static_cast<Base&>(dev), dx, dp, dy, x, cache, p,
                                     LinearActivationOptions{options.activation, {}});
}

/// Forward drops, backward does not: the gradient passes through dropped units. With relu on Cpu and Cuda, whose backward reads
/// the output, it does not, but it keeps its old size.
/// twin: inner-mask-forgotten 06_feed_forward own finite-differences dual-numbers golden parity
/// twin: inner-mask-forgotten 07_encoder own golden parity dual-numbers
template <class Base>
struct InnerMaskForgotten : Base {
  static inline int calls = 0;
};
template <class Base>
void linear_activation_forward(InnerMaskForgotten<Base>& dev, Out<Base, 2> y, LinearActivationCache<Base>& cache,
                               In<Base, 2> x, const LinearParams<Base>& p, const LinearActivationOptions& options) {
  gradus::linear_activation_forward(static_cast<Base&>(dev), y, cache, x, p, options);  // saves what backward reads
}
template <class Base>
void linear_activation_backward(InnerMaskForgotten<Base>& dev, Out<Base, 2> dx, const LinearParams<Base>& dp,
                                In<Base, 2> dy, In<Base, 2> x, const LinearActivationCache<Base>& cache,
                                const LinearParams<Base>& p, const LinearActivationOptions& options) {
  ++dev.calls;
  gradus::linear_activation_backward(static_cast<Base&>(dev), dx, dp, dy, x, cache, p,
                                     LinearActivationOptions{options.activation, {}});
}

/// The bias of the inner map gets no gradient.
/// twin: inner-bias-forgotten 06_feed_forward own finite-differences dual-numbers golden parity
template <class Base>
struct InnerBiasForgotten : Base {
  static inline int calls = 0;
};
template <class Base>
void linear_activation_forward(InnerBiasForgotten<Base>& dev, Out<Base, 2> y, LinearActivationCache<Base>& cache,
                               In<Base, 2> x, const LinearParams<Base>& p, const LinearActivationOptions& options) {
  gradus::linear_activation_forward(static_cast<Base&>(dev), y, cache, x, p, options);  // saves what backward reads
}
template <class Base>
void linear_activation_backward(InnerBiasForgotten<Base>& dev, Out<Base, 2> dx, const LinearParams<Base>& dp,
                                In<Base, 2> dy, In<Base, 2> x, const LinearActivationCache<Base>& cache,
                                const LinearParams<Base>& p, const LinearActivationOptions& options) {
  ++dev.calls;
  gradus::linear_activation_backward(static_cast<Base&>(dev), dx, LinearParams<Base>{dp.w, {}}, dy, x, cache, p,
                                     options);
}

/// Takes the activation's derivative at its output instead of its input. For relu the sign is the same, so the
/// result is right by chance; for gelu it is wrong.
/// twin: slope-at-output 06_feed_forward own finite-differences dual-numbers golden parity
template <class Base>
struct SlopeAtOutput : Base {
  static inline int calls = 0;
};
template <class Base>
void activation_backward(SlopeAtOutput<Base>& dev, Out<Base, 2> dx, In<Base, 2> dy, In<Base, 2> x,
                         Activation activation) {
  ++dev.calls;
  Scratch<Base> scope(dev);
  const Out<Base, 2> y = dev.scratch.matrix(x.extent[0], x.extent[1]);
  gradus::activation_forward(static_cast<Base&>(dev), y, x, activation);
  gradus::activation_backward(static_cast<Base&>(dev), dx, dy, y, activation);
}

/// Uses the sign of the gradient instead of the input as relu's mask: it passes positive gradients.
/// twin: mask-of-gradient 06_feed_forward own finite-differences dual-numbers golden parity
template <class Base>
struct MaskOfGradient : Base {
  static inline int calls = 0;
};
template <class Base>
void activation_backward(MaskOfGradient<Base>& dev, Out<Base, 2> dx, In<Base, 2> dy, In<Base, 2>,
                         Activation activation) {
  ++dev.calls;
  gradus::activation_forward(static_cast<Base&>(dev), dx, dy, activation);
}

/// The popular approximation by tanh under the name of the exact function. Backward is that of the exact one.
/// twin: tanh-gelu 06_feed_forward own finite-differences golden parity
template <class Base>
struct TanhGelu : Base {
  static inline int calls = 0;
};
template <class Base>
void activation_forward(TanhGelu<Base>& dev, Out<Base, 2> y, In<Base, 2> x, Activation) {
  ++dev.calls;
  for (std::size_t n = 0; n < x.extent[0]; ++n) {
    for (std::size_t j = 0; j < x.extent[1]; ++j) {
      const double v = x.row(n)[j];
      y.row(n)[j] = 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
    }
  }
}

/// Takes sigma's derivative for that of x sigma(x), for swish. Forward is right.
/// twin: slope-of-sigma 06_feed_forward own finite-differences dual-numbers golden parity
template <class Base>
struct SlopeOfSigma : Base {
  static inline int calls = 0;
};
template <class Base>
void activation_backward(SlopeOfSigma<Base>& dev, Out<Base, 2> dx, In<Base, 2> dy, In<Base, 2> x, Activation) {
  ++dev.calls;
  for (std::size_t n = 0; n < x.extent[0]; ++n) {
    for (std::size_t j = 0; j < x.extent[1]; ++j) {
      const double sigma = 1 / (1 + std::exp(-x.row(n)[j]));
      dx.row(n)[j] = sigma * (1 - sigma) * dy.row(n)[j];
    }
  }
}

}  // namespace gradus::wrong
