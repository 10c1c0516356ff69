#pragma once
/// \file
/// Dropout at the speed of memory: several Philox counters side by side, in a form that compilers vectorise (bench in
/// tests/bench).

#include <cstddef>
#include <cstdint>

#include "gradus/random/dropout_draw.hpp"

namespace gradus {

/// words[w][l] is word w of the counter {quad(l), row(l), site, step} of `draw`, for L lanes l. Each word of 32 bits
/// has 64 bits of space, because the product of two words has 64 bits.
template <std::size_t L, class Quad, class Row>
void dropout_words(std::uint64_t (&words)[4][L], const DropoutDraw& draw, Quad&& quad, Row&& row) {
  const std::uint64_t seed = draw.seed, site = draw.site, step = draw.step;
#pragma omp simd
  for (std::size_t l = 0; l < L; ++l) {
    std::uint64_t c0 = quad(l), c1 = row(l), c2 = site, c3 = step, k0 = seed & 0xFFFFFFFF, k1 = seed >> 32;
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) philox_round(c0, c1, c2, c3, k0, k1);
    words[0][l] = c0, words[1][l] = c1, words[2][l] = c2, words[3][l] = c3;
  }
}

/// factors[j] = draw.factor(row, j, heads, head) for j < n. `factors` must have room for n rounded up to a multiple
/// of 32.
template <class Real>
void dropout_row(Real* factors, std::size_t n, const DropoutDraw& draw, std::size_t row, std::size_t heads = 1,
                 std::size_t head = 0) {
  constexpr std::size_t L = 8;
  const std::uint64_t draw_row = static_cast<std::uint32_t>((draw.first_row + row) * heads + head);
  const Real kept = static_cast<Real>(draw.kept_factor);
  std::uint64_t words[4][L];
  for (std::size_t j = 0; j < n; j += 4 * L) {
    dropout_words(
        words, draw, [=](std::size_t l) { return j / 4 + l; }, [=](std::size_t) { return draw_row; });
    Real* const out = factors + j;
#pragma omp simd
    for (std::size_t l = 0; l < L; ++l) {
      out[4 * l] = words[0][l] >= draw.threshold ? kept : Real(0);
      out[4 * l + 1] = words[1][l] >= draw.threshold ? kept : Real(0);
      out[4 * l + 2] = words[2][l] >= draw.threshold ? kept : Real(0);
      out[4 * l + 3] = words[3][l] >= draw.threshold ? kept : Real(0);
    }
  }
}

/// The room that a row of n factors needs, in elements.
constexpr std::size_t dropout_row_room(std::size_t n) { return (n + 31) / 32 * 32; }

}  // namespace gradus
