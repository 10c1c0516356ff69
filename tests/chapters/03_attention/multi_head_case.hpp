#pragma once

#include "03_attention/multi_head_attention.hpp"
#include "chapters/03_attention/attention_case.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// The parameters of an attention with the names "wqkv" ... in a case of width D.
inline void describe_attention_params(Description& d, std::size_t D, bool bias) {
  d.parameter("wqkv", {D, 3 * D});
  d.parameter("wo", {D, D});
  if (bias) d.parameter("bqkv", {3 * D});
  if (bias) d.parameter("bo", {D});
}
template <class Dev>
AttentionParams<Dev> attention_views(Tensors<Dev>& t, const std::string& d, bool bias) {
  return {t.matrix(d + "wqkv"), bias ? t.vector(d + "bqkv") : Out<Dev, 1>{}, t.matrix(d + "wo"),
          bias ? t.vector(d + "bo") : Out<Dev, 1>{}};
}

struct SelfAttentionCase {
  std::vector<std::int32_t> lengths{3, 1, 2};
  std::size_t D = 4;
  AttentionOptions options{2, true, {0.3, 18, Side::target}};
  bool bias = true;
  std::size_t spare = 2;

  void describe(Description& d) const {
    const std::size_t N = segments(lengths, spare).rows;
    d.component = bias ? "self_attention" : "self_attention_without_bias";
    d.used_rows = spare == 0 ? 0 : N - spare;
    d.input("x", {N, D}).rowwise().in_place("y");
    describe_attention_params(d, D, bias);
    d.output("y", {N, D}).rowwise();
  }

  template <class Dev>
  using Cache = SelfAttentionCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    const SegmentTable sentences = segments(lengths, spare);
    self_attention_forward(dev, t.matrix("y"), cache, {t.matrix("x"), t.segments(sentences)},
                           attention_views(t, "", bias), options);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    const SegmentTable sentences = segments(lengths, spare);
    self_attention_backward(dev, t.d_matrix("x"), attention_views(t, "d", bias), t.d_matrix("y"),
                            {t.matrix("x"), t.segments(sentences)}, cache, attention_views(t, "", bias), options);
  }
};

/// Both sides have as many rows in all.
struct CrossAttentionCase {
  std::vector<std::int32_t> query_lengths{3, 1, 2}, key_lengths{1, 3, 2};
  std::size_t D = 4;
  AttentionOptions options{2, false, {0.3, 36, Side::target}};
  bool bias = true;
  std::size_t spare = 2;

  void describe(Description& d) const {
    const std::size_t Nq = segments(query_lengths, spare).rows, Nk = segments(key_lengths, spare).rows;
    d.component = bias ? "cross_attention" : "cross_attention_without_bias";
    d.used_rows = spare == 0 ? 0 : Nq - spare;
    d.input("x", {Nq, D}).rowwise().in_place("y");
    d.input("memory", {Nk, D}).rowwise().accumulates();
    describe_attention_params(d, D, bias);
    d.output("y", {Nq, D}).rowwise();
  }

  template <class Dev>
  using Cache = CrossAttentionCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    const SegmentTable queries = segments(query_lengths, spare), keys = segments(key_lengths, spare);
    cross_attention_forward(dev, t.matrix("y"), cache, {t.matrix("x"), t.segments(queries)},
                            {t.matrix("memory"), t.segments(keys)}, attention_views(t, "", bias), options);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    const SegmentTable queries = segments(query_lengths, spare), keys = segments(key_lengths, spare);
    cross_attention_backward(dev, t.d_matrix("x"), t.d_matrix("memory"), attention_views(t, "d", bias),
                             t.d_matrix("y"), {t.matrix("x"), t.segments(queries)},
                             {t.matrix("memory"), t.segments(keys)}, cache, attention_views(t, "", bias), options);
  }
};

}  // namespace gradus::test
