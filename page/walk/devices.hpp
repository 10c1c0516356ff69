#pragma once
/// \file
/// Devices of the walk: one that notes the gradients between the sublayers, and one without norms.

#include <utility>
#include <vector>

#include "05_layer_norm/add_norm.hpp"

namespace gradus::page {

/// A layer norm that changes nothing, and has no gradient for its parameters.
template <class Base>
struct NoNorm : Base {};
template <class Base>
void layer_norm_forward(NoNorm<Base>& dev, Out<Base, 2> y, NormCache<Base>& cache, In<Base, 2> x,
                        const NormParams<Base>& p) {
  check_layer_norm<Base>(y, x, p);
  cache = {dev.kept.vector(x.extent[0]), dev.kept.vector(x.extent[0])};  // backward asks for their shapes
  fill(dev, cache.mean, 0);
  fill(dev, cache.rstd, 1);
  copy(dev, y, x);
}
template <class Base>
void layer_norm_backward(NoNorm<Base>& dev, Out<Base, 2> dx, const NormParams<Base>& dp, In<Base, 2> dy,
                         In<Base, 2> x, const NormCache<Base>& cache, const NormParams<Base>& p) {
  check_layer_norm_backward<Base>(dx, dp, dy, x, cache, p);
  if (dx.data != dy.data) copy(dev, dx, dy);
}

/// The gradients at one "Add & Norm": of s, the sum, and of n, the norm's output; each (N, D), row by row.
struct NormGradients {
  std::vector<double> ds, dn;
};

/// `Base`, which also notes the gradients at each "Add & Norm", in the order of backward.
template <class Base>
struct Noting : Base {
  bool notes = false;
  std::vector<NormGradients> noted;
};
template <class Base>
void add_norm_forward(Noting<Base>& dev, Out<Base, 2> s, Out<Base, 2> n, NormCache<Base>& cache, In<Base, 2> x,
                      In<Base, 2> f, const NormParams<Base>& p, const Dropout& dropout) {
  add_norm_forward(static_cast<Base&>(dev), s, n, cache, x, f, p,
                   dropout);  // that of Base, which may be without residuals
}
template <class Base>
void add_norm_backward(Noting<Base>& dev, Acc<Base, 2> dx, Out<Base, 2> df, const NormParams<Base>& dp,
                       In<Base, 2> dn, In<Base, 2> s, const NormCache<Base>& cache, const NormParams<Base>& p,
                       const Dropout& dropout) {
  const auto numbers = [](In<Base, 2> m) {
    std::vector<double> all;
    for (std::size_t i = 0; i < m.extent[0]; ++i) all.insert(all.end(), m.row(i), m.row(i) + m.extent[1]);
    return all;
  };
  NormGradients note;
  if (dev.notes) note.dn = numbers(dn);
  add_norm_backward(static_cast<Base&>(dev), dx, df, dp, dn, s, cache, p, dropout);
  if (!dev.notes) return;
  note.ds = numbers(In<Base, 2>(dx));
  dev.noted.push_back(std::move(note));
}

}  // namespace gradus::page
