#pragma once

#include "00_foundations/dropout.hpp"
#include "support/case.hpp"

namespace gradus::test {

struct DropoutCase {
  std::size_t N = 6, D = 7;
  Dropout dropout{0.4, 19, Side::target};

  void describe(Description& d) const {
    d.component = "dropout";
    d.input("x", {N, D}).in_place("y");
    d.output("y", {N, D});
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    dropout_forward(dev, t.matrix("y"), t.matrix("x"), dropout);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    dropout_backward(dev, t.d_matrix("x"), t.d_matrix("y"), dropout);
  }
};

}  // namespace gradus::test
