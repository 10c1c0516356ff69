#pragma once
/// \file
/// Wrong linear maps and dropouts.

#include "00_foundations/dropout.hpp"
#include "00_foundations/linear.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// Forgets the bias in forward; its gradient is still computed.
/// twin: bias-forgotten 00_foundations own finite-differences golden parity -dual-numbers
template <class Base>
struct BiasForgotten : Base {
  static inline int calls = 0;
};
template <class Base>
void linear_forward(BiasForgotten<Base>& dev, Out<Base, 2> y, In<Base, 2> x, const LinearParams<Base>& p) {
  ++dev.calls;
  gradus::linear_forward(static_cast<Base&>(dev), y, x, LinearParams<Base>{p.w, {}});
}

/// Overwrites the weight gradient where it should add: a second micro-batch erases the first.
/// twin: forgotten-accumulate 00_foundations own contract -finite-differences
/// twin: forgotten-accumulate 07_encoder own contract -finite-differences
/// twin: forgotten-accumulate 08_decoder own contract
/// twin: forgotten-accumulate 09_transformer own contract
template <class Base>
struct ForgottenAccumulate : Base {
  static inline int calls = 0;
};
template <class Base>
void linear_backward(ForgottenAccumulate<Base>& dev, Out<Base, 2> dx, const LinearParams<Base>& dp, In<Base, 2> dy,
                     In<Base, 2> x, const LinearParams<Base>& p) {
  ++dev.calls;
  fill(dev, dp.w, 0);
  gradus::linear_backward(static_cast<Base&>(dev), dx, dp, dy, x, p);
}

/// Computes dw = dy^T x and stores it as if it were x^T dy: right only if it happens to be square and symmetric.
/// twin: transposed-weight-gradient 00_foundations own finite-differences dual-numbers golden parity
/// twin: transposed-weight-gradient 07_encoder own finite-differences dual-numbers golden parity
/// twin: transposed-weight-gradient 08_decoder own dual-numbers golden parity
/// twin: transposed-weight-gradient 09_transformer own dual-numbers golden parity
template <class Base>
struct TransposedWeightGradient : Base {
  static inline int calls = 0;
};
template <class Base>
void linear_backward(TransposedWeightGradient<Base>& dev, Out<Base, 2> dx, const LinearParams<Base>& dp,
                     In<Base, 2> dy, In<Base, 2> x, const LinearParams<Base>& p) {
  ++dev.calls;
  const std::size_t in = x.extent[1], out = dy.extent[1];
  Scratch<Base> scope(dev);
  const Out<Base, 2> dw = dev.scratch.matrix(in, out);
  fill(dev, dw, 0);
  gradus::linear_backward(static_cast<Base&>(dev), dx, LinearParams<Base>{dw, dp.b}, dy, x, p);
  for (std::size_t k = 0; k < in * out; ++k) dp.w.row(k / out)[k % out] += dw.row(k % in)[k / in];
}

/// Drops without dividing by 1 - rate, in forward and backward.
/// twin: dropout-unscaled 00_foundations own golden parity dual-numbers -finite-differences
template <class Base>
struct DropoutUnscaled : Base {
  static inline int calls = 0;
};
template <class Base>
void unscale(Out<Base, 2> y, const Dropout& dropout) {
  for (std::size_t n = 0; n < y.extent[0]; ++n) {
    for (std::size_t d = 0; d < y.extent[1]; ++d) y.row(n)[d] *= static_cast<typename Base::Real>(1 - dropout.rate);
  }
}
template <class Base>
void dropout_forward(DropoutUnscaled<Base>& dev, Out<Base, 2> y, In<Base, 2> x, const Dropout& dropout) {
  ++dev.calls;
  gradus::dropout_forward(static_cast<Base&>(dev), y, x, dropout);
  unscale<Base>(y, dropout);
}
template <class Base>
void dropout_backward(DropoutUnscaled<Base>& dev, Out<Base, 2> dx, In<Base, 2> dy, const Dropout& dropout) {
  ++dev.calls;
  gradus::dropout_backward(static_cast<Base&>(dev), dx, dy, dropout);
  unscale<Base>(dx, dropout);
}

/// Draws another mask in backward than in forward.
/// twin: dropout-other-mask 00_foundations own finite-differences dual-numbers golden parity
template <class Base>
struct DropoutOtherMask : Base {
  static inline int calls = 0;
};
template <class Base>
void dropout_backward(DropoutOtherMask<Base>& dev, Out<Base, 2> dx, In<Base, 2> dy, const Dropout& dropout) {
  ++dev.calls;
  gradus::dropout_backward(static_cast<Base&>(dev), dx, dy, Dropout{dropout.rate, dropout.site + 1, dropout.side});
}

}  // namespace gradus::wrong
