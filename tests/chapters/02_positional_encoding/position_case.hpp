#pragma once

#include "02_positional_encoding/position.hpp"
#include "chapters/02_positional_encoding/sentences.hpp"
#include "support/case.hpp"

namespace gradus::test {

struct PositionCase {
  Sentences sentences{{3, 0, 5, 1}, 2};
  std::vector<std::int32_t> first{2, 0, 0, 4};  // or empty: all begin at position 0
  std::size_t D = 3;

  void describe(Description& d) const {
    d.component = "position";
    d.used_rows = sentences.used();
    const std::size_t N = sentences.table().rows;
    if (!first.empty()) d.ints("first", first);
    d.input("x", {N, D}).rowwise().in_place("y");
    d.input("positions", {sentences.positions(first), D}).constant().by_number();
    d.output("y", {N, D}).rowwise();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    const SegmentTable table = sentences.table();
    position_forward(dev, t.matrix("y"), t.matrix("x"), t.segments(table),
                     first.empty() ? Ints<Dev, 1>{} : t.ints("first"), t.matrix("positions"));
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    position_backward(dev, t.d_matrix("x"), t.d_matrix("y"));
  }
};

}  // namespace gradus::test
