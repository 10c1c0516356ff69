#pragma once
/// \file
/// Dropout at the speed of memory: several Philox counters side by side, in a form that compilers vectorise (bench in
/// tests/measure/bench).

#include <cstddef>
#include <cstdint>
#include <limits>

#include "gradus/random/dropout_draw.hpp"

namespace gradus {

/// A word of 32 bits in its lane. A round needs the upper half of the product of two words. Compilers make it fastest
/// from lanes of 64 bits with AVX-512, which has a product of these, and from lanes of 32 bits elsewhere.
#if defined(__AVX512F__)
using LaneWord = std::uint64_t;
#else
using LaneWord = std::uint32_t;
#endif

/// Counters side by side. A round of a counter waits for the round before, so a register of counters is too few.
constexpr std::size_t dropout_lanes = 16;

/// words[w][l] is word w of the counter {quad(l), row(l), site, step} of `draw`, for L lanes l.
template <std::size_t L, class Quad, class Row>
void dropout_words(LaneWord (&words)[4][L], const DropoutDraw& draw, Quad&& quad, Row&& row) {
  const LaneWord site = draw.site, step = draw.step;
  const auto low = static_cast<LaneWord>(draw.seed & 0xFFFFFFFF), high = static_cast<LaneWord>(draw.seed >> 32);
#pragma omp simd
  for (std::size_t l = 0; l < L; ++l) {
    auto c0 = static_cast<LaneWord>(quad(l)), c1 = static_cast<LaneWord>(row(l));
    LaneWord c2 = site, c3 = step, k0 = low, k1 = high;
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) philox_round(c0, c1, c2, c3, k0, k1);
    words[0][l] = c0, words[1][l] = c1, words[2][l] = c2, words[3][l] = c3;
  }
}

/// From a word to its factor: draw.factor.
template <class Real>
struct KeptWords {
  LaneWord least;  ///< smaller words drop their unit
  Real kept;

  explicit KeptWords(const DropoutDraw& draw) {
    constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
    least = static_cast<LaneWord>(draw.threshold <= largest ? draw.threshold : largest);
    kept =
        draw.threshold > largest ? Real(0) : static_cast<Real>(draw.kept_factor);  // a rate of nearly 1 keeps none
  }
  Real factor(LaneWord word) const { return word >= least ? kept : Real(0); }
};

/// factors[j] = draw.factor(row, j, heads, head) for j < n. `factors` must have room for dropout_row_room(n).
template <class Real>
void dropout_row(Real* factors, std::size_t n, const DropoutDraw& draw, std::size_t row, std::size_t heads = 1,
                 std::size_t head = 0) {
  constexpr std::size_t L = dropout_lanes;
  const auto draw_row = static_cast<std::uint32_t>((draw.first_row + row) * heads + head);
  const KeptWords<Real> kept(draw);
  LaneWord words[4][L];
  for (std::size_t j = 0; j < n; j += 4 * L) {
    dropout_words(
        words, draw, [=](std::size_t l) { return j / 4 + l; }, [=](std::size_t) { return draw_row; });
    Real* const out = factors + j;
#pragma omp simd
    for (std::size_t l = 0; l < L; ++l) {
      out[4 * l] = kept.factor(words[0][l]);
      out[4 * l + 1] = kept.factor(words[1][l]);
      out[4 * l + 2] = kept.factor(words[2][l]);
      out[4 * l + 3] = kept.factor(words[3][l]);
    }
  }
}

/// The room that a row of n factors needs, in elements.
constexpr std::size_t dropout_row_room(std::size_t n) {
  constexpr std::size_t at_once = 4 * dropout_lanes;
  return (n + at_once - 1) / at_once * at_once;
}

}  // namespace gradus
