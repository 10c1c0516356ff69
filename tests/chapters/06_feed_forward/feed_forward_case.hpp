#pragma once

#include "06_feed_forward/feed_forward.hpp"
#include "support/case.hpp"

namespace gradus::test {

struct FeedForwardCase {
  Activation activation = Activation::relu;
  std::size_t N = 6, D = 4, F = 7;
  Dropout dropout{0.3, 22, Side::source};

  void describe(Description& d) const {
    d.component = std::string("feed_forward_") + name_of(activation);
    d.used_rows = N > 2 ? N - 2 : 0;
    d.input("x", {N, D}).rowwise();
    d.parameter("w1", {D, F});
    d.parameter("b1", {F});
    d.parameter("w2", {F, D});
    d.parameter("b2", {D});
    d.output("y", {N, D}).rowwise();
  }

  template <class Dev>
  using Cache = FeedForwardCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    feed_forward_forward(dev, t.matrix("y"), cache, t.matrix("x"), params<Dev>(t, ""), options());
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    feed_forward_backward(dev, t.d_matrix("x"), params<Dev>(t, "d"), t.d_matrix("y"), t.matrix("x"), cache,
                          params<Dev>(t, ""), options());
  }

 private:
  LinearActivationOptions options() const { return {activation, dropout}; }
  template <class Dev>
  FeedForwardParams<Dev> params(Tensors<Dev>& t, const std::string& d) const {
    return {{t.matrix(d + "w1"), t.vector(d + "b1")}, {t.matrix(d + "w2"), t.vector(d + "b2")}};
  }
};

}  // namespace gradus::test
