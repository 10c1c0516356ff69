#pragma once

#include <algorithm>

#include "04_masks/dense_attention.hpp"
#include "04_masks/masks.hpp"
#include "chapters/04_masks/masked_softmax_case.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// Sentences of these lengths in a table as wide as the longest, padded on one side.
struct Padded {
  std::vector<std::int32_t> lengths;
  bool left = false;  ///< padding stands before the words

  std::size_t B() const { return lengths.size(); }
  std::size_t longest() const {
    return static_cast<std::size_t>(lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end()));
  }
  /// Position of table entry (b, t) in its sentence; -1 for padding.
  std::int32_t position(std::size_t b, std::size_t t) const {
    const auto here = static_cast<std::int32_t>(t) - (left ? static_cast<std::int32_t>(longest()) - lengths[b] : 0);
    return here < lengths[b] ? std::max(here, -1) : -1;
  }
  std::vector<std::int32_t> positions() const {
    return each([](std::int32_t, std::int32_t position) { return position; });
  }
  /// Number of the word among all words; -1 for padding.
  std::vector<std::int32_t> packed_rows() const {
    return each([](std::int32_t begin, std::int32_t position) { return position < 0 ? -1 : begin + position; });
  }
  /// Ids of words, all different from `padding`, which is between them.
  std::vector<std::int32_t> ids(std::int32_t padding) const {
    return each([&](std::int32_t begin, std::int32_t position) {
      return position < 0 ? padding : padding + 1 + (begin + position) % 5;
    });
  }

 private:
  template <class F>
  std::vector<std::int32_t> each(F&& f) const {
    std::vector<std::int32_t> result;
    std::int32_t begin = 0;
    for (std::size_t b = 0; b < B(); begin += lengths[b++]) {
      for (std::size_t t = 0; t < longest(); ++t) result.push_back(f(begin, position(b, t)));
    }
    return result;
  }
};

/// Dense attention with the masks it needs: padding always, causal for a decoder's self-attention.
struct DenseAttentionCase {
  Padded queries{{3, 1}, false}, keys{{2, 4}, false};
  std::size_t D = 6;
  bool causal = false;
  DenseAttentionOptions options{2, {0.3, 18, Side::target}};
  std::int32_t padding = 0;

  std::size_t B() const { return queries.B(); }
  std::size_t T() const { return queries.longest(); }
  std::size_t S() const { return keys.longest(); }

  void describe(Description& d) const {
    d.component = !causal                           ? "dense_attention"
                  : queries.lengths == keys.lengths ? "dense_attention_causal"
                                                    : "dense_attention_aligned";
    d.input("q", {B(), T(), D});
    d.input("k", {B(), S(), D});
    d.input("v", {B(), S(), D});
    d.output("y", {B(), T(), D});
    d.ints("key_ids", keys.ids(padding));
    d.ints("query_row", queries.packed_rows());
    d.ints("key_position", keys.positions());
  }

  template <class Dev>
  using Cache = DenseAttentionCache<Dev>;

  template <class Dev>
  Packing<Dev> packing(const Tensors<Dev>& t) const {
    return {as_ids(t.ints("query_row"), B(), T()), as_ids(t.ints("key_position"), B(), S())};
  }
  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    Scratch<Dev> scope(dev);
    const OutInts<Dev, 3> mask = as_mask(dev.scratch.ints(B() * T() * S()), B(), T(), S());
    padding_mask(dev, mask, as_ids(t.ints("key_ids"), B(), S()), padding);
    if (causal) causal_mask(dev, mask, mask);
    dense_attention_forward(
        dev, t.template view<3>("y"), cache,
        {t.template view<3>("q"), t.template view<3>("k"), t.template view<3>("v"), mask, packing(t)}, options);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    dense_attention_backward(
        dev, {t.template view<3>("dq"), t.template view<3>("dk"), t.template view<3>("dv")},
        t.template view<3>("dy"),
        {t.template view<3>("q"), t.template view<3>("k"), t.template view<3>("v"), {}, packing(t)}, cache,
        options);
  }
};

/// More queries than keys: the first queries see no key, though every word is real.
inline DenseAttentionCase dense_aligned_case() {
  return {Padded{{4, 4}}, Padded{{2, 2}}, 4, true, {2, {0.3, 18, Side::target}}, 2};
}

/// A decoder's self-attention, padded on the left.
inline DenseAttentionCase dense_causal_case() {
  const Padded sentences{{2, 4}, true};
  return {sentences, sentences, 4, true, {2, {0.3, 18, Side::target}}, 2};
}

}  // namespace gradus::test
