#pragma once
/// \file
/// Dropout factors for the weights of one head, many counters at a time. A row of 14 keys has only four counters, too
/// few to fill a vector; but the queries' counters are independent, and the queries lie side by side.

#include <cstddef>
#include <cstdint>

#include "03_attention/small_product_cpu.hpp"
#include "gradus/random/dropout_draw.hpp"

namespace gradus {

/// philox() for one column and several rows at once: words[w][l] is word w of row[l]. 64-bit lanes, because that is
/// what a vector unit multiplies.
template <std::size_t L>
void philox_lanes(std::uint64_t (&words)[4][L], std::uint64_t column, const std::uint64_t (&row)[L],
                  const DropoutDraw& draw) {
  const std::uint64_t seed = draw.seed, site = draw.site, step = draw.step;
#pragma omp simd
  for (std::size_t l = 0; l < L; ++l) {
    std::uint64_t c0 = column, c1 = row[l], c2 = site, c3 = step, k0 = seed & 0xFFFFFFFF, k1 = seed >> 32;
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t a = 0xD2511F53 * c0, b = 0xCD9E8D57 * c2;
      c0 = (b >> 32) ^ c1 ^ k0;
      c1 = b & 0xFFFFFFFF;
      c2 = (a >> 32) ^ c3 ^ k1;
      c3 = a & 0xFFFFFFFF;
      k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF;
      k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF;
    }
    words[0][l] = c0, words[1][l] = c1, words[2][l] = c2, words[3][l] = c3;
  }
}

/// factors[s pad + t] = draw.factor(first_row + t, s, heads, head) for t < pad, s < S. Needs room for S rounded up to
/// a multiple of four rows.
template <class Real>
void dropout_block(Real* factors, std::size_t pad, std::size_t S, const DropoutDraw& draw, std::size_t first_row,
                   std::size_t heads, std::size_t head) {
  constexpr std::size_t L = lanes<Real>;
  const Real kept = static_cast<Real>(draw.kept_factor);
  const std::uint64_t threshold = draw.threshold;
  std::uint64_t row[L], words[4][L];
  for (std::size_t t = 0; t < pad; t += L) {
    for (std::size_t l = 0; l < L; ++l) {
      row[l] = static_cast<std::uint32_t>((draw.first_row + first_row + t + l) * heads + head);
    }
    for (std::size_t s = 0; s < S; s += 4) {
      philox_lanes(words, s / 4, row, draw);
      for (std::size_t w = 0; w < 4; ++w) {
        Real* const out = factors + (s + w) * pad + t;
#pragma omp simd
        for (std::size_t l = 0; l < L; ++l) out[l] = words[w][l] >= threshold ? kept : Real(0);
      }
    }
  }
}

}  // namespace gradus
