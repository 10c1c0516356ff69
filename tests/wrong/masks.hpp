#pragma once
/// \file
/// Wrong masks, and wrong ways to apply one.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "04_masks/dense_attention.hpp"
#include "04_masks/masks.hpp"

namespace gradus::wrong {

/// A softmax without exclusion: `Fill::of` puts a number where the mask forbids, and then every entry counts.
template <class Base, class Fill>
struct Filled : Base {
  static inline int calls = 0;
};
template <class Base, class Fill>
void masked_softmax_forward(Filled<Base, Fill>& dev, Out<Base, 4> p, In<Base, 4> s, Ints<Base, 3> mask) {
  ++dev.calls;
  check_masked_softmax<Base>(p, s, mask);
  const auto [B, H, T, S] = s.extent;
  for (std::size_t row = 0; row < B * H * T; ++row) {
    const std::int32_t* const m = sentence(mask, row / (H * T)).row(row % T);
    double *const x = p.row(row), largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t j = 0; j < S; ++j) x[j] = m[j] != 0 ? s.row(row)[j] : Fill::of(s.row(row)[j]);
    for (std::size_t j = 0; j < S; ++j) largest = std::max(largest, x[j]);
    for (std::size_t j = 0; j < S; ++j) sum += x[j] = std::exp(x[j] - largest);
    for (std::size_t j = 0; j < S; ++j) x[j] /= sum;
  }
}
/// A fully masked row becomes uniform: future and padding leak.
/// twin: filled-with-1e9 04_masks tutorial golden parity
struct LargeNegative {
  static double of(double) { return -1e9; }
};
/// Added instead of filled in: a fully masked row keeps its order.
/// twin: added-1e9 04_masks tutorial golden parity
struct LargeNegativeAdded {
  static double of(double s) { return s - 1e9; }
};
/// A fully masked row becomes NaN.
/// twin: minus-infinity 04_masks tutorial golden parity dual-numbers
struct MinusInfinity {
  static double of(double) { return -std::numeric_limits<double>::infinity(); }
};

/// 1 is read as "hidden": the meaning of the marks was not documented.
/// twin: mask-inverted 04_masks tutorial golden parity dual-numbers
template <class Base>
struct MaskInverted : Base {
  static inline int calls = 0;
};
template <class Base>
void masked_softmax_forward(MaskInverted<Base>& dev, Out<Base, 4> p, In<Base, 4> s, Ints<Base, 3> mask) {
  ++dev.calls;
  std::vector<std::int32_t> inverted(mask.extent[0] * mask.extent[1] * mask.extent[2]);
  for (std::size_t i = 0; i < inverted.size(); ++i) inverted[i] = mask.data[i] == 0;
  const Ints<Base, 3> view{inverted.data(), mask.extent, mask.stride};
  gradus::masked_softmax_forward(static_cast<Base&>(dev), p, s, view);
}

/// Softmax along the queries: each column sums to 1 instead of each row.
template <class Base>
struct DenseOverQueries : Base {
  static inline int calls = 0;
};
template <class Base>
void masked_softmax_forward(DenseOverQueries<Base>& dev, Out<Base, 4> p, In<Base, 4> s, Ints<Base, 3> mask) {
  ++dev.calls;
  check_masked_softmax<Base>(p, s, mask);
  const auto [B, H, T, S] = s.extent;
  for (std::size_t i = 0; i < B * H * S; ++i) {
    const auto x = scores_of(s, i / (H * S), i / S % H);
    const auto y = scores_of(p, i / (H * S), i / S % H);
    double sum = 0;
    for (std::size_t t = 0; t < T; ++t) {
      const bool allowed = sentence(mask, i / (H * S)).row(t)[i % S] != 0;
      sum += y.row(t)[i % S] = allowed ? std::exp(x.row(t)[i % S]) : 0;
    }
    for (std::size_t t = 0; t < T; ++t) y.row(t)[i % S] /= sum > 0 ? sum : 1;
  }
}

/// The padding mask on the rows: padded keys stay visible, padded queries see nothing.
/// twin: padding-on-queries 04_masks tutorial golden parity dual-numbers
template <class Base>
struct PaddingOnQueries : Base {
  static inline int calls = 0;
};
template <class Base>
void padding_mask(PaddingOnQueries<Base>& dev, OutInts<Base, 3> mask, Ints<Base, 2> keys, std::int32_t padding) {
  ++dev.calls;
  check_padding_mask<Base>(mask, keys);
  const auto [B, T, S] = mask.extent;
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t t = 0; t < T; ++t) std::fill_n(sentence(mask, b).row(t), S, keys.row(b)[t] != padding);
  }
}

/// One padding id, 1, for both languages.
/// twin: one-padding-id 04_masks tutorial golden parity dual-numbers -finite-differences
template <class Base>
struct OnePaddingId : Base {
  static inline int calls = 0;
};
template <class Base>
void padding_mask(OnePaddingId<Base>& dev, OutInts<Base, 3> mask, Ints<Base, 2> keys, std::int32_t) {
  ++dev.calls;
  gradus::padding_mask(static_cast<Base&>(dev), mask, keys, 1);
}

/// The padding word is also the start mark, and is hidden as padding: a decoder's first query sees nothing.
/// twin: start-hidden 04_masks tutorial golden parity dual-numbers -finite-differences
template <class Base>
struct StartHidden : Base {
  static inline int calls = 0;
};
template <class Base>
void padding_mask(StartHidden<Base>& dev, OutInts<Base, 3> mask, Ints<Base, 2> keys, std::int32_t padding) {
  ++dev.calls;
  gradus::padding_mask(static_cast<Base&>(dev), mask, keys, padding);
  for (std::size_t b = 0; b < mask.extent[0]; ++b) {
    std::size_t start = 0;
    while (start < mask.extent[2] && keys.row(b)[start] == padding) ++start;
    for (std::size_t t = 0; start < mask.extent[2] && t < mask.extent[1]; ++t) sentence(mask, b).row(t)[start] = 0;
  }
}

/// The triangle is one step too wide: each query sees the word that it must predict.
/// twin: future-seen 04_masks own golden parity dual-numbers -finite-differences
/// twin: future-seen 08_decoder own golden parity dual-numbers
/// twin: future-seen 09_transformer own golden parity dual-numbers
template <class Base>
struct FutureSeen : Base {
  static inline int calls = 0;
};
template <class Base>
void causal_mask(FutureSeen<Base>& dev, OutInts<Base, 3> mask, Ints<Base, 3> within) {
  ++dev.calls;
  const auto [B, T, S] = mask.extent;
  for (std::size_t row = 0; row < B * T; ++row) {
    for (std::size_t s = 0; s < S; ++s) {
      mask.row(row)[s] = s + T <= S + row % T + 1 && (!within || within.row(row)[s] != 0);
    }
  }
}

/// Draws by the row of the padded table: another padding drops other weights.
/// twin: drop-by-padded-row 04_masks own golden parity dual-numbers -finite-differences
template <class Base>
struct DropByPaddedRow : Base {
  static inline int calls = 0;
};
template <class Base>
void drop_by_padded_row(Base& dev, Out<Base, 4> y, In<Base, 4> x, const Packing<Base>& packing,
                        const Dropout& dropout) {
  std::vector<std::int32_t> row(x.extent[0] * x.extent[2]);
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = packing.query_row.data[i] < 0 ? -1 : static_cast<std::int32_t>(i);
  }
  const Packing<Base> by_table{{row.data(), packing.query_row.extent, packing.query_row.stride},
                               packing.key_position};
  gradus::dense_dropout_forward(dev, y, x, by_table, dropout);
}
template <class Base>
void dense_dropout_forward(DropByPaddedRow<Base>& dev, Out<Base, 4> y, In<Base, 4> x, const Packing<Base>& packing,
                           const Dropout& dropout) {
  ++dev.calls;
  drop_by_padded_row<Base>(dev, y, x, packing, dropout);
}
template <class Base>
void dense_dropout_backward(DropByPaddedRow<Base>& dev, Out<Base, 4> dx, In<Base, 4> dy,
                            const Packing<Base>& packing, const Dropout& dropout) {
  drop_by_padded_row<Base>(dev, dx, dy, packing, dropout);
}

}  // namespace gradus::wrong
