#pragma once

#include "05_layer_norm/add_norm.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// Both outputs have readers, as in a pre-norm stack.
struct AddNormCase {
  std::size_t N = 6, D = 5;
  Dropout dropout{0.3, 19, Side::target};
  double epsilon = layer_norm_epsilon;

  void describe(Description& d) const {
    d.component = epsilon != layer_norm_epsilon ? "add_norm_epsilon"
                  : dropout.rate > 0            ? "add_norm"
                                                : "add_norm_without_dropout";
    d.used_rows = N > 2 ? N - 2 : 0;
    d.input("x", {N, D}).rowwise();
    d.input("f", {N, D}).rowwise();
    d.parameter("gamma", {D});
    d.parameter("beta", {D});
    d.output("s", {N, D}).rowwise();
    d.output("n", {N, D}).rowwise();
  }

  template <class Dev>
  using Cache = NormCache<Dev>;
  template <class C, class F>
  static void each_saved(const C& cache, F&& f) {
    f("cache.mean", cache.mean), f("cache.rstd", cache.rstd);
  }

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    add_norm_forward(dev, t.matrix("s"), t.matrix("n"), cache, t.matrix("x"), t.matrix("f"),
                     NormParams<Dev>{t.vector("gamma"), t.vector("beta"), {}, epsilon}, dropout);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    copy(dev, t.d_matrix("x"), t.d_matrix("s"));
    add_norm_backward(dev, t.d_matrix("x"), t.d_matrix("f"),
                      NormParams<Dev>{t.d_vector("gamma"), t.d_vector("beta")}, t.d_matrix("n"), t.matrix("s"),
                      cache, NormParams<Dev>{t.vector("gamma"), t.vector("beta"), {}, epsilon}, dropout);
  }
};

/// The norm of a stream that has another reader: s is x.
struct JoinNormCase {
  std::size_t N = 6, D = 5;

  void describe(Description& d) const {
    d.component = "join_norm";
    d.used_rows = N > 2 ? N - 2 : 0;
    d.input("x", {N, D}).rowwise();
    d.parameter("gamma", {D});
    d.parameter("beta", {D});
    d.output("s", {N, D}).rowwise();
    d.output("n", {N, D}).rowwise();
  }

  template <class Dev>
  using Cache = NormCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    copy(dev, t.matrix("s"), t.matrix("x"));
    layer_norm_forward(dev, t.matrix("n"), cache, t.matrix("x"),
                       NormParams<Dev>{t.vector("gamma"), t.vector("beta")});
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    Scratch<Dev> scope(dev);
    const Acc<Dev, 2> dn = dev.scratch.matrix(N, D);
    copy(dev, dn, t.d_matrix("n"));
    copy(dev, t.d_matrix("x"), t.d_matrix("s"));
    join_norm_backward(dev, t.d_matrix("x"), dn, NormParams<Dev>{t.d_vector("gamma"), t.d_vector("beta")},
                       t.matrix("x"), cache, NormParams<Dev>{t.vector("gamma"), t.vector("beta")});
  }
};

/// How many of the three functions refuse a number that is no form of norm, instead of computing layer norm.
template <class Dev>
int refusals_of_another_form() {
  Dev dev;
  const auto a = dev.kept.matrix(2, 3), b = dev.kept.matrix(2, 3), c = dev.kept.matrix(2, 3),
             d = dev.kept.matrix(2, 3);
  const NormParams<Dev> p{dev.kept.vector(3), dev.kept.vector(3), NormForm(99)};
  NormCache<Dev> cache{dev.kept.vector(2), dev.kept.vector(2)};
  for (const auto& x : {a, b, c, d}) fill(dev, x, 1);
  int refusals = 0;
  const auto count = [&](const auto& call) {
    try {
      call();
    } catch (const Error&) {
      ++refusals;
    }
  };
  count([&] { add_norm_forward(dev, a, b, cache, c, d, p, Dropout{}); });
  count([&] { add_norm_backward(dev, a, b, p, c, d, cache, p, Dropout{}); });
  count([&] { join_norm_backward(dev, a, b, p, c, cache, p); });
  return refusals;
}

}  // namespace gradus::test
