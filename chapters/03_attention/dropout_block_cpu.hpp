#pragma once
/// \file
/// Dropout factors for the weights of one head, for several queries at a time. One query with 14 keys has only four
/// counters, too few to fill a vector register. Neighbouring queries fill it: their counters are independent.

#include <cstddef>
#include <cstdint>

#include "03_attention/small_product_cpu.hpp"
#include "gradus/random/dropout_cpu.hpp"

namespace gradus {

/// factors[s pad + t] = draw.factor(first_row + t, s, heads, head) for t < pad, s < S. `factors` needs room
/// for S rows, rounded up to a multiple of four.
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
      dropout_words(
          words, draw, [=](std::size_t) { return s / 4; }, [&](std::size_t l) { return row[l]; });
      for (std::size_t w = 0; w < 4; ++w) {
        Real* const out = factors + (s + w) * pad + t;
#pragma omp simd
        for (std::size_t l = 0; l < L; ++l) out[l] = words[w][l] >= threshold ? kept : Real(0);
      }
    }
  }
}

}  // namespace gradus
