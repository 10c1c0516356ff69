#pragma once
/// \file
/// Wrong residual connections.

#include "05_layer_norm/add_norm.hpp"
#include "05_layer_norm/residual_stack.hpp"

namespace gradus::wrong {

/// No residual: the sublayer's output replaces the stream. Backward fits.
/// twin: no-residual 05_layer_norm elsewhere golden parity dual-numbers -finite-differences
/// twin: no-residual 07_encoder elsewhere golden parity dual-numbers
template <class Base>
struct NoResidual : Base {
  static inline int calls = 0;
};
template <class Base>
void add_norm_forward(NoResidual<Base>& dev, Out<Base, 2> s, Out<Base, 2> n, NormCache<Base>& cache, In<Base, 2> x,
                      In<Base, 2> f, const NormParams<Base>& p, const Dropout& dropout) {
  ++dev.calls;
  Scratch<Base> scope(dev);
  const Out<Base, 2> nothing = dev.scratch.matrix(x.extent[0], x.extent[1]);
  fill(dev, nothing, 0);
  gradus::add_norm_forward(static_cast<Base&>(dev), s, n, cache, nothing, f, p, dropout);
}
template <class Base>
void add_norm_backward(NoResidual<Base>& dev, Acc<Base, 2> dx, Out<Base, 2> df, const NormParams<Base>& dp,
                       In<Base, 2> dn, In<Base, 2> s, const NormCache<Base>& cache, const NormParams<Base>& p,
                       const Dropout& dropout) {
  ++dev.calls;
  gradus::add_norm_backward(static_cast<Base&>(dev), dx, df, dp, dn, s, cache, p, dropout);
  fill(dev, dx, 0);
}

/// The stream's gradient is lost: dx is overwritten, where the fork's gradients should be added.
/// twin: stream-gradient-lost 05_layer_norm own finite-differences dual-numbers golden parity
/// twin: stream-gradient-lost 07_encoder own golden parity dual-numbers
template <class Base>
struct StreamGradientLost : Base {
  static inline int calls = 0;
};
template <class Base>
void add_norm_backward(StreamGradientLost<Base>& dev, Acc<Base, 2> dx, Out<Base, 2> df, const NormParams<Base>& dp,
                       In<Base, 2> dn, In<Base, 2> s, const NormCache<Base>& cache, const NormParams<Base>& p,
                       const Dropout& dropout) {
  ++dev.calls;
  fill(dev, dx, 0);
  gradus::add_norm_backward(static_cast<Base&>(dev), dx, df, dp, dn, s, cache, p, dropout);
}

/// Backward drops other units than forward.
/// twin: residual-other-mask 05_layer_norm own finite-differences dual-numbers golden parity
template <class Base>
struct ResidualOtherMask : Base {
  static inline int calls = 0;
};
template <class Base>
void add_norm_backward(ResidualOtherMask<Base>& dev, Acc<Base, 2> dx, Out<Base, 2> df, const NormParams<Base>& dp,
                       In<Base, 2> dn, In<Base, 2> s, const NormCache<Base>& cache, const NormParams<Base>& p,
                       const Dropout& dropout) {
  ++dev.calls;
  gradus::add_norm_backward(static_cast<Base&>(dev), dx, df, dp, dn, s, cache, p,
                            Dropout{dropout.rate, dropout.site + 1, dropout.side});
}

/// Drops the sum x + f, so the stream itself loses units. Backward fits.
/// twin: stream-dropped 05_layer_norm own golden parity dual-numbers -finite-differences
template <class Base>
struct StreamDropped : Base {
  static inline int calls = 0;
};
template <class Base>
void add_norm_forward(StreamDropped<Base>& dev, Out<Base, 2> s, Out<Base, 2> n, NormCache<Base>& cache,
                      In<Base, 2> x, In<Base, 2> f, const NormParams<Base>& p, const Dropout& dropout) {
  ++dev.calls;
  check_add_norm_forward<Base>(s, n, x, f, p, dropout);
  Scratch<Base> scope(dev);
  const Out<Base, 2> sum = dev.scratch.matrix(x.extent[0], x.extent[1]),
                     nothing = dev.scratch.matrix(x.extent[0], x.extent[1]);
  copy(dev, sum, x);
  add(dev, sum, f);
  fill(dev, nothing, 0);
  gradus::add_norm_forward(static_cast<Base&>(dev), s, n, cache, nothing, sum, p, dropout);
}
template <class Base>
void add_norm_backward(StreamDropped<Base>& dev, Acc<Base, 2> dx, Out<Base, 2> df, const NormParams<Base>& dp,
                       In<Base, 2> dn, In<Base, 2> s, const NormCache<Base>& cache, const NormParams<Base>& p,
                       const Dropout& dropout) {
  ++dev.calls;
  gradus::add_norm_backward(static_cast<Base&>(dev), dx, df, dp, dn, s, cache, p, dropout);
  copy(dev, dx, df);
}

/// A pre-norm stack whose residual is taken after the norm: the stream passes through every norm, which is
/// post-norm with one norm too many.
/// twin: residual-after-norm 05_layer_norm elsewhere golden parity dual-numbers -finite-differences
template <class Base>
struct ResidualAfterNorm : Base {
  static inline int calls = 0;
};
template <class Base>
void residual_stack_forward(ResidualAfterNorm<Base>& dev, ResidualStackCache<Base>& c, In<Base, 2> x,
                            const ResidualStackParams<Base>& p, Norm) {
  ++dev.calls;
  const Out<Base, 2> first = dev.kept.matrix(x.extent[0], x.extent[1]);
  layer_norm_forward(static_cast<Base&>(dev), first, c.first_norm, x, p.first_norm);
  residual_stack_forward(static_cast<Base&>(dev), c, first, p, Norm::post);
  c.first = first;
}
template <class Base>
void residual_stack_backward(ResidualAfterNorm<Base>& dev, Out<Base, 2> dx, const ResidualStackParams<Base>& dp,
                             In<Base, 2> dy, In<Base, 2> x, const ResidualStackCache<Base>& c,
                             const ResidualStackParams<Base>& p, Norm) {
  ++dev.calls;
  residual_stack_backward(static_cast<Base&>(dev), dx, dp, dy, c.first, c, p, Norm::post);
  layer_norm_backward(static_cast<Base&>(dev), dx, dp.first_norm, dx, x, c.first_norm, p.first_norm);
}

}  // namespace gradus::wrong
