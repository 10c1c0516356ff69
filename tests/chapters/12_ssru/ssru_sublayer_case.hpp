#pragma once

#include "12_ssru/ssru_sublayer.hpp"
#include "chapters/12_ssru/ssru_case.hpp"

namespace gradus::test {

struct SsruSublayerCase {
  std::vector<std::int32_t> lengths{3, 1, 4};
  std::size_t D = 5, spare = 2;

  std::size_t rows() const { return sentences(lengths, spare).rows; }

  void describe(Description& d) const {
    d.component = "ssru_sublayer";
    d.used_rows = spare == 0 ? 0 : rows() - spare;
    d.input("x", {rows(), D}).rowwise().in_place("y");
    d.input("first", {lengths.size(), D});
    d.parameter("w", {D, D});
    d.parameter("wf", {D, D});
    d.parameter("bf", {D});
    d.output("y", {rows(), D}).rowwise();
    d.output("last", {lengths.size(), D});
  }

  template <class Dev>
  using Cache = SsruSublayerCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    ssru_sublayer_forward(dev, t.matrix("y"), t.matrix("last"), cache, input<Dev>(t), In<Dev, 2>(t.matrix("first")),
                          params<Dev>(t, ""));
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    ssru_sublayer_backward(dev, t.d_matrix("x"), t.d_matrix("first"), params<Dev>(t, "d"),
                           In<Dev, 2>(t.d_matrix("y")), In<Dev, 2>(t.d_matrix("last")), input<Dev>(t),
                           In<Dev, 2>(t.matrix("first")), cache, params<Dev>(t, ""));
  }

 private:
  template <class Dev>
  Sequences<Dev> input(Tensors<Dev>& t) const {
    return {t.matrix("x"), t.segments(sentences(lengths, spare))};
  }
  template <class Dev>
  SsruParams<Dev> params(Tensors<Dev>& t, const std::string& d) const {
    return {{t.matrix(d + "w"), {}}, {t.matrix(d + "wf"), t.vector(d + "bf")}};
  }
};

}  // namespace gradus::test
