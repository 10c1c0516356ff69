#pragma once
/// \file
/// A row of dropout factors at the speed of memory: eight Philox counters side by side in 64-bit lanes, a form that
/// compilers vectorise (without the pragmas it takes seven times as long; the benchmark is in tests/bench).

#include <cstddef>
#include <cstdint>

#include "gradus/random/dropout_draw.hpp"

namespace gradus {

/// factors[j] = draw.factor(row, j, heads, head) for j < n. `factors` must have room for n rounded up to a multiple
/// of 32.
template <class Real>
void dropout_row(Real* factors, std::size_t n, const DropoutDraw& draw, std::size_t row, std::size_t heads = 1,
                 std::size_t head = 0) {
  constexpr int lanes = 8;
  const std::uint64_t draw_row = static_cast<std::uint32_t>((draw.first_row + row) * heads + head);
  const Real kept = static_cast<Real>(draw.kept_factor);
  for (std::size_t j = 0; j < n; j += 4 * lanes) {
    std::uint64_t c0[lanes], c1[lanes], c2[lanes], c3[lanes];
#pragma omp simd
    for (int l = 0; l < lanes; ++l) {
      c0[l] = j / 4 + static_cast<std::uint64_t>(l);
      c1[l] = draw_row;
      c2[l] = draw.site;
      c3[l] = draw.step;
    }
    std::uint64_t k0 = draw.seed & 0xFFFFFFFF, k1 = draw.seed >> 32;
    for (int round = 0; round < 10; ++round) {
#pragma omp simd
      for (int l = 0; l < lanes; ++l) {
        const std::uint64_t a = 0xD2511F53 * c0[l], b = 0xCD9E8D57 * c2[l];
        c0[l] = (b >> 32) ^ c1[l] ^ k0;
        c1[l] = b & 0xFFFFFFFF;
        c2[l] = (a >> 32) ^ c3[l] ^ k1;
        c3[l] = a & 0xFFFFFFFF;
      }
      k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF;
      k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF;
    }
    Real* const out = factors + j;
#pragma omp simd
    for (int l = 0; l < lanes; ++l) {
      out[4 * l] = c0[l] >= draw.threshold ? kept : Real(0);
      out[4 * l + 1] = c1[l] >= draw.threshold ? kept : Real(0);
      out[4 * l + 2] = c2[l] >= draw.threshold ? kept : Real(0);
      out[4 * l + 3] = c3[l] >= draw.threshold ? kept : Real(0);
    }
  }
}

/// The room that a row of n factors needs, in elements.
constexpr std::size_t dropout_row_room(std::size_t n) { return (n + 31) / 32 * 32; }

}  // namespace gradus
