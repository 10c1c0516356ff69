#pragma once

#include "11_translator/search/past.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// A kernel cannot throw for a table that names rows outside a matrix: if the host cannot read the tables, the case
/// checks them instead of the leaf.
template <class Dev>
void check_rows(In<Dev, 2> x, std::size_t rows) {
  if (!std::is_same_v<typename Dev::Space, Host>) check_shape("past", x, {rows, x.extent[1]});
}

/// All rows are written, in another order; a separate test checks rows that are not named.
struct CacheAppendCase {
  std::size_t W = 6;
  std::vector<std::int32_t> at{3, 0, 2, 4, 1};

  void describe(Description& d) const {
    d.component = "past_append";
    d.input("x", {at.size(), W}).constant();
    d.output("past", {at.size(), W}).constant();
    d.ints("at", at);
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    check_rows<Dev>(t.matrix("past"), at.size());
    past_append(dev, t.matrix("past"), t.matrix("x"), t.ints("at"));
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

struct CacheSelectCase {
  std::size_t W = 6, R = 4;  // rows of the source, some of which are copied twice
  std::vector<std::int32_t> from{3, 0, 3, 1, 0}, at{4, 0, 2, 3, 1};

  void describe(Description& d) const {
    d.component = "past_select";
    d.input("x", {R, W}).constant();
    d.output("past", {at.size(), W}).constant();
    d.ints("from", from);
    d.ints("at", at);
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    check_rows<Dev>(t.matrix("past"), at.size());
    check_rows<Dev>(t.matrix("x"), R);
    past_select(dev, t.matrix("past"), t.matrix("x"), t.ints("from"), t.ints("at"));
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

}  // namespace gradus::test
