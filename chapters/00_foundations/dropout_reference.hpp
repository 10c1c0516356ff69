#pragma once
/// \file
/// The mask of a dropout as an array, for every formula with dropout.

#include "gradus/random/dropout_draw.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {

/// m, (N, D): 0 or 1 / (1 - rate) for rows first_row .. first_row + N - 1 of a tensor.
template <class Real>
Array<Real> dropout_mask(const Dropout& dropout, const StepState& state, std::size_t N, std::size_t D,
                         std::size_t first_row = 0, std::size_t heads = 1, std::size_t head = 0) {
  const DropoutDraw draw(dropout, state);
  auto m = empty<Real>(N, D);
  for (std::size_t n = 0; n < N; ++n) {
    for (std::size_t d = 0; d < D; ++d) m(n, d) = Real(draw.factor(first_row + n, d, heads, head));
  }
  return m;
}

}  // namespace gradus
