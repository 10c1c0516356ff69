#pragma once
/// \file
/// A row of dropout factors at the speed of memory: eight Philox counters side by side (bench in
/// tests/bench).

#include <cstddef>
#include <cstdint>

#include "gradus/random/dropout_lanes.hpp"

namespace gradus {

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
