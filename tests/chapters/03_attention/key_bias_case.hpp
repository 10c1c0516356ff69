#pragma once

#include "chapters/03_attention/multi_head_case.hpp"

namespace gradus::test {

/// Self-attention in which only the keys have a bias. It adds the same number to all scores of a query, which does
/// not change the softmax. So its gradient is zero by theorem, for all values and also with dropout on the weights.
struct KeyBiasCase {
  SelfAttentionCase inner;

  void describe(Description& d) const {
    const std::size_t N = segments(inner.lengths, inner.spare).rows;
    d.component = "self_attention_key_bias";
    d.input("x", {N, inner.D});
    d.parameter("wqkv", {inner.D, 3 * inner.D});
    d.parameter("wo", {inner.D, inner.D});
    d.parameter("bk", {inner.D}).zero();
    d.output("y", {N, inner.D});
  }

  template <class Dev>
  using Cache = SelfAttentionCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    Scratch<Dev> scope(dev);
    const SegmentTable sentences = segments(inner.lengths, inner.spare);
    self_attention_forward(dev, t.matrix("y"), cache, {t.matrix("x"), t.segments(sentences)},
                           {t.matrix("wqkv"), packed(dev, t), t.matrix("wo"), {}}, inner.options);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    Scratch<Dev> scope(dev);
    const SegmentTable sentences = segments(inner.lengths, inner.spare);
    const auto db = dev.scratch.vector(3 * inner.D);
    fill(dev, db, 0);
    self_attention_backward(dev, t.d_matrix("x"), {t.d_matrix("wqkv"), db, t.d_matrix("wo"), {}}, t.d_matrix("y"),
                            {t.matrix("x"), t.segments(sentences)}, cache,
                            {t.matrix("wqkv"), packed(dev, t), t.matrix("wo"), {}}, inner.options);
    add_due_sums(dev);  // before db is read, and before its memory is given back
    add(dev, as_row(t.d_vector("bk")), as_row(slice(db, inner.D, inner.D)));
  }

 private:
  template <class Real, class Space>
  static View<Real, 2, Space> as_row(View<Real, 1, Space> v) {
    return as_matrix(v, 1, v.extent[0]);
  }
  /// 0 | bk | 0, (3 D): the biases in the composite's form.
  template <class Dev>
  Out<Dev, 1> packed(Dev& dev, Tensors<Dev>& t) const {
    const auto b = dev.scratch.vector(3 * inner.D);
    fill(dev, b, 0);
    copy(dev, as_row(slice(b, inner.D, inner.D)), as_row(t.vector("bk")));
    return b;
  }
};

}  // namespace gradus::test
