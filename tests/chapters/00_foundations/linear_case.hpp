#pragma once

#include <vector>

#include "00_foundations/linear.hpp"
#include "support/case.hpp"

namespace gradus::test {

struct LinearCase {
  std::size_t N = 5, in = 3, out = 4;
  bool bias = true;

  static std::vector<LinearCase> sizes() {
    return {{5, 3, 4, true},  {4, 6, 2, false},   {6, 4, 5, false},  {33, 7, 9, true}, {1, 1, 1, true},
            {1, 33, 1, true}, {3, 1025, 2, true}, {70, 3, 66, true},  // two blocks of columns, three chunks of rows
            {560, 2, 3, true}};  // more chunks than there are warps to add them
  }

  void describe(Description& d) const {
    d.component = bias ? "linear" : "linear_without_bias";
    d.used_rows = N > 2 ? N - 2 : 0;
    d.input("x", {N, in}).rowwise();
    d.parameter("w", {in, out});
    if (bias) d.parameter("b", {out});
    d.output("y", {N, out}).rowwise();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    linear_forward(dev, t.matrix("y"), t.matrix("x"), params<Dev>(t, ""));
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    linear_backward(dev, t.d_matrix("x"), params<Dev>(t, "d"), t.d_matrix("y"), t.matrix("x"), params<Dev>(t, ""));
  }

 private:
  template <class Dev>
  LinearParams<Dev> params(Tensors<Dev>& t, const std::string& d) const {
    return {t.matrix(d + "w"), bias ? t.vector(d + "b") : Out<Dev, 1>{}};
  }
};

}  // namespace gradus::test
