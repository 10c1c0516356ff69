#pragma once

#include "04_masks/dense_dropout.hpp"
#include "04_masks/masked_softmax.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// A vector of ints seen as a matrix, or as a stack of matrices.
template <class Space>
View<const std::int32_t, 2, Space> as_ids(View<const std::int32_t, 1, Space> v, std::size_t B, std::size_t S) {
  return {v.data, {B, S}, S};
}
template <class Int, class Space>
View<Int, 3, Space> as_mask(View<Int, 1, Space> v, std::size_t B, std::size_t T, std::size_t S) {
  return {v.data, {B, T, S}, S};
}

/// The mask (B, T, S) hides about a third, one whole row of it in the first sentence.
struct MaskedSoftmaxCase {
  std::size_t B = 2, H = 2, T = 3, S = 4;
  double scale = 1;

  std::vector<std::int32_t> mask() const {
    std::vector<std::int32_t> m(B * T * S);
    for (std::size_t i = 0; i < m.size(); ++i) m[i] = i % 7 != 2 && i % 5 != 3 && (T < 2 || i / S != 1);
    return m;
  }

  void describe(Description& d) const {
    d.component = "masked_softmax";
    d.input("s", {B, H, T, S}).scaled(scale).in_place("p");
    d.output("p", {B, H, T, S});
    d.ints("mask", mask());
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    masked_softmax_forward(dev, t.template view<4>("p"), t.template view<4>("s"), as_mask(t.ints("mask"), B, T, S));
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    masked_softmax_backward(dev, t.template view<4>("ds"), t.template view<4>("dp"), t.template view<4>("p"));
  }
};

/// Two sentences: queries of two and three words, padded on the right; keys of four and two, padded on the left.
struct DenseDropoutCase {
  Dropout dropout{0.4, 18, Side::target};

  void describe(Description& d) const {
    d.component = "dense_dropout";
    d.input("x", {2, 3, 3, 4}).in_place("y");
    d.output("y", {2, 3, 3, 4});
    d.ints("query_row", {0, 1, -1, 2, 3, 4});
    d.ints("key_position", {0, 1, 2, 3, -1, -1, 0, 1});
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  Packing<Dev> packing(const Tensors<Dev>& t) const {
    return {as_ids(t.ints("query_row"), 2, 3), as_ids(t.ints("key_position"), 2, 4)};
  }
  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    dense_dropout_forward(dev, t.template view<4>("y"), t.template view<4>("x"), packing(t), dropout);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    dense_dropout_backward(dev, t.template view<4>("dx"), t.template view<4>("dy"), packing(t), dropout);
  }
};

}  // namespace gradus::test
