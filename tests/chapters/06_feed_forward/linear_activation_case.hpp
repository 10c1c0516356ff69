#pragma once

#include "06_feed_forward/linear_activation.hpp"
#include "support/case.hpp"

namespace gradus::test {

struct LinearActivationCase {
  Activation activation = Activation::relu;
  std::size_t N = 6, D = 4, F = 7;
  Dropout dropout{0.3, 22, Side::source};
  bool bias = true;

  void describe(Description& d) const {
    d.component = std::string("linear_") + name_of(activation);
    if (!bias) d.component += "_without_bias";
    d.used_rows = N > 2 ? N - 2 : 0;
    d.input("x", {N, D}).rowwise();
    d.parameter("w", {D, F});
    if (bias) d.parameter("b", {F});
    d.output("y", {N, F}).rowwise();
  }

  template <class Dev>
  using Cache = LinearActivationCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    linear_activation_forward(dev, t.matrix("y"), cache, t.matrix("x"), params<Dev>(t, ""), options());
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    linear_activation_backward(dev, t.d_matrix("x"), params<Dev>(t, "d"), t.d_matrix("y"), t.matrix("x"), cache,
                               params<Dev>(t, ""), options());
  }

 private:
  LinearActivationOptions options() const { return {activation, dropout}; }
  template <class Dev>
  LinearParams<Dev> params(Tensors<Dev>& t, const std::string& d) const {
    return {t.matrix(d + "w"), bias ? t.vector(d + "b") : Out<Dev, 1>{}};
  }
};

}  // namespace gradus::test
