#pragma once

#include <algorithm>

#include "12_ssru/ssru.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// Segments of these lengths, followed by rows that belong to none.
inline SegmentTable sentences(const std::vector<std::int32_t>& lengths, std::size_t spare) {
  SegmentTable table = SegmentTable::packed(lengths);
  table.rows += spare;
  return table;
}

struct SsruCase {
  std::vector<std::int32_t> lengths{3, 1, 4};
  std::size_t D = 5, spare = 2;
  bool has_state = true;  ///< false: the states before and after the sentences are absent
  double scale = 1;       ///< of the random gates

  std::size_t rows() const { return sentences(lengths, spare).rows; }

  void describe(Description& d) const {
    const bool has_empty = std::count(lengths.begin(), lengths.end(), 0) > 0;
    d.component = has_empty ? "ssru_empty_sentences" : has_state ? "ssru" : "ssru_without_state";
    d.used_rows = spare == 0 ? 0 : rows() - spare;
    d.input("u", {rows(), D}).rowwise();
    d.input("a", {rows(), D}).rowwise().scaled(scale);
    if (has_state) d.input("first", {lengths.size(), D});
    d.output("h", {rows(), D}).rowwise();
    if (has_state) d.output("last", {lengths.size(), D});
  }

  template <class Dev>
  using Cache = SsruCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    ssru_forward(dev, t.matrix("h"), state(t, "last"), cache, input<Dev>(t));
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    ssru_backward(dev, {t.d_matrix("u"), t.d_matrix("a"), state(t, "dfirst")}, t.d_matrix("h"), state(t, "dlast"),
                  input<Dev>(t), cache);
  }

 private:
  template <class Dev>
  Out<Dev, 2> state(Tensors<Dev>& t, const std::string& name) const {
    return has_state ? t.matrix(name) : Out<Dev, 2>{};
  }
  template <class Dev>
  SsruInput<Dev> input(Tensors<Dev>& t) const {
    return {t.matrix("u"), t.matrix("a"), state(t, "first"), t.segments(sentences(lengths, spare))};
  }
};

/// Sentences without a word: the state passes through.
inline SsruCase empty_sentences_case() { return {{0, 2, 0}, 3, 0}; }

}  // namespace gradus::test
