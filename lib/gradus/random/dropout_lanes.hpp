#pragma once
/// \file
/// The random words of several counters at once, in a form that compilers vectorise.

#include <cstddef>
#include <cstdint>

#include "gradus/random/dropout_draw.hpp"

namespace gradus {

/// words[w][l] is word w of the counter {quad(l), row(l), site, step} of `draw`, for L lanes l. A word of 32 bits lies in a
/// lane of 64, because that is what a vector unit multiplies.
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

}  // namespace gradus
