#pragma once

#include "03_attention/attention.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// Segments of these lengths, followed by rows that belong to none.
inline SegmentTable segments(const std::vector<std::int32_t>& lengths, std::size_t spare) {
  SegmentTable table = SegmentTable::packed(lengths);
  table.rows += spare;
  return table;
}

/// Both sides have the same number of rows in all, so that one number says which are spare.
struct AttentionCase {
  std::vector<std::int32_t> query_lengths{3, 1, 4}, key_lengths{2, 5, 1};
  std::size_t Dk = 3;
  AttentionOptions options{2, false, {0.3, 18, Side::target}};
  std::size_t spare = 2;
  double scale = 1;  ///< of the random queries and keys

  std::size_t D() const { return options.heads * Dk; }

  void describe(Description& d) const {
    const std::size_t Nq = segments(query_lengths, spare).rows, Nk = segments(key_lengths, spare).rows;
    d.component = !options.causal                ? "attention"
                  : query_lengths == key_lengths ? "attention_causal"
                                                 : "attention_aligned";
    d.used_rows = spare == 0 ? 0 : Nq - spare;
    d.input("q", {Nq, D()}).rowwise().scaled(scale);
    d.input("k", {Nk, D()}).rowwise().scaled(scale);
    d.input("v", {Nk, D()}).rowwise();
    d.output("y", {Nq, D()}).rowwise();
  }

  template <class Dev>
  using Cache = AttentionCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    const SegmentTable queries = segments(query_lengths, spare), keys = segments(key_lengths, spare);
    attention_forward(dev, t.matrix("y"), cache,
                      {t.matrix("q"), t.matrix("k"), t.matrix("v"), t.segments(queries), t.segments(keys)},
                      options);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    const SegmentTable queries = segments(query_lengths, spare), keys = segments(key_lengths, spare);
    attention_backward(dev, {t.d_matrix("q"), t.d_matrix("k"), t.d_matrix("v")}, t.d_matrix("y"),
                       {t.matrix("q"), t.matrix("k"), t.matrix("v"), t.segments(queries), t.segments(keys)}, cache,
                       options);
  }
};

/// Self-attention's shape: as many keys as queries, causal.
inline AttentionCase causal_case() { return {{3, 1, 4}, {3, 1, 4}, 2, {3, true, {0.25, 34, Side::target}}, 2}; }

/// More queries than keys and fewer: the first queries see no key, the last one sees all; one segment is empty.
inline AttentionCase aligned_case() { return {{4, 2, 2, 0}, {2, 5, 0, 1}, 3, {2, true, {0, 0, Side::target}}, 0}; }

/// Scores of about a thousand.
inline AttentionCase large_logits_case() {
  return {{3, 1, 4}, {2, 5, 1}, 4, {2, false, {0, 0, Side::target}}, 0, 32};
}

}  // namespace gradus::test
