#pragma once

#include "06_feed_forward/activation.hpp"
#include "support/case.hpp"

namespace gradus::test {

struct ActivationCase {
  Activation activation = Activation::relu;
  std::size_t N = 5, F = 7;

  void describe(Description& d) const {
    d.component = name_of(activation);
    d.used_rows = N > 2 ? N - 2 : 0;
    d.input("x", {N, F}).rowwise().in_place("y");
    d.output("y", {N, F}).rowwise();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    activation_forward(dev, t.matrix("y"), t.matrix("x"), activation);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    activation_backward(dev, t.d_matrix("x"), t.d_matrix("y"), t.matrix("x"), activation);
  }
};

}  // namespace gradus::test
