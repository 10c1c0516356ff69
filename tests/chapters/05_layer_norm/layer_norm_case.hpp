#pragma once

#include <limits>

#include "05_layer_norm/layer_norm.hpp"
#include "support/case.hpp"
#include "support/judges.hpp"

namespace gradus::test {

/// For widths up to two, xhat is -1 or 1 except for epsilon. The gradient is the remainder of a cancellation, of
/// the size of epsilon. Double keeps fewer digits of it, and float almost none.
inline Bounds norm_bounds(std::size_t width) {
  Bounds bounds;
  if (width <= 2) {
    bounds.dual = bounds.parity_double = bounds.golden = 1e-11;
    bounds.parity_float = 1e-3;
    bounds.parity_float_gradient = std::numeric_limits<double>::infinity();
  }
  return bounds;
}

struct LayerNormCase {
  std::size_t N = 5, D = 7;
  double epsilon = layer_norm_epsilon;

  void describe(Description& d) const {
    d.component = epsilon != layer_norm_epsilon ? "layer_norm_epsilon" : D > 2 ? "layer_norm" : "layer_norm_narrow";
    d.used_rows = N > 2 ? N - 2 : 0;
    d.input("x", {N, D}).rowwise().in_place("y");
    d.parameter("gamma", {D});
    d.parameter("beta", {D});
    d.output("y", {N, D}).rowwise();
  }

  template <class Dev>
  using Cache = NormCache<Dev>;
  template <class C, class F>
  static void each_saved(const C& cache, F&& f) {
    f("cache.mean", cache.mean), f("cache.rstd", cache.rstd);
  }

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    layer_norm_forward(dev, t.matrix("y"), cache, t.matrix("x"),
                       NormParams<Dev>{t.vector("gamma"), t.vector("beta"), {}, epsilon});
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    layer_norm_backward(dev, t.d_matrix("x"), NormParams<Dev>{t.d_vector("gamma"), t.d_vector("beta")},
                        t.d_matrix("y"), t.matrix("x"), cache,
                        NormParams<Dev>{t.vector("gamma"), t.vector("beta"), {}, epsilon});
  }
};

}  // namespace gradus::test
