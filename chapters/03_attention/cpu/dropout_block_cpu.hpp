#pragma once
/// \file
/// Dropout factors for the weights of one head, for several queries at a time. One query with 14 keys has only four
/// counters, too few to fill a vector register. Neighbouring queries fill it: their counters are independent.

#include <cstddef>
#include <cstdint>

#include "03_attention/cpu/small_product_cpu.hpp"
#include "gradus/random/dropout_cpu.hpp"

namespace gradus {

/// Keys at once: a counter has the words of four, and a query takes several counters if the queries are fewer than the lanes.
template <class Real>
constexpr std::size_t dropout_keys = 4 * (dropout_lanes / vector_width<Real>);

/// factors[s pad + t] = draw.factor(first_row + t, s, heads, head) for t < pad, s < S. `factors` needs room
/// for S rows, rounded up to a multiple of dropout_keys.
template <class Real>
void dropout_block(Real* factors, std::size_t pad, std::size_t S, const DropoutDraw& draw, std::size_t first_row,
                   std::size_t heads, std::size_t head) {
  constexpr std::size_t queries = vector_width<Real>;
  static_assert(dropout_lanes % queries == 0, "the lanes are a number of groups of queries");
  const KeptWords<Real> kept(draw);
  std::uint32_t row[queries];
  LaneWord words[4][dropout_lanes];
  for (std::size_t t = 0; t < pad; t += queries) {
    for (std::size_t l = 0; l < queries; ++l) {
      row[l] = static_cast<std::uint32_t>((draw.first_row + first_row + t + l) * heads + head);
    }
    for (std::size_t s = 0; s < S; s += dropout_keys<Real>) {
      dropout_words(
          words, draw, [=](std::size_t l) { return s / 4 + l / queries; },
          [&](std::size_t l) { return row[l % queries]; });
      for (std::size_t k = 0; k < dropout_keys<Real>; ++k) {
        const LaneWord* const of_key = words[k % 4] + k / 4 * queries;
        Real* const out = factors + (s + k) * pad + t;
#pragma omp simd
        for (std::size_t l = 0; l < queries; ++l) out[l] = kept.factor(of_key[l]);
      }
    }
  }
}

}  // namespace gradus
