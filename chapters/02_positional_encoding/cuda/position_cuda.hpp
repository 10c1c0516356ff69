#pragma once
/// \file
/// The position of a row, for kernels with one warp for each row.

#include "01_embedding/cuda/lookup_cuda.hpp"
#include "02_positional_encoding/position.hpp"
#include "gradus/kernels/reduce.hpp"

namespace gradus {

constexpr std::int32_t no_sentence = std::numeric_limits<std::int32_t>::min();

/// The row of the position table for row n, or no_sentence; all lanes get it. Each lane checks every 32nd sentence
/// for row n. At most one sentence contains it, so the largest of the lanes' answers is the result.
inline __device__ std::int32_t warp_position(View<const std::int32_t, 1, Gpu> begin,
                                             View<const std::int32_t, 1, Gpu> length,
                                             View<const std::int32_t, 1, Gpu> first, std::size_t n) {
  std::int32_t position = no_sentence;
  for (std::size_t i = threadIdx.x % 32; i < begin.extent[0]; i += 32) {
    const std::int32_t into = static_cast<std::int32_t>(n) - begin[i];
    if (into >= 0 && into < length[i]) position = into + (first ? first[i] : 0);
  }
  return gpu::warp_max(position);
}

/// The encoding of a position: zeros for a row of no sentence, NaN beyond the table.
template <class Real>
__device__ KernelRow<Real> place_row(View<const Real, 2, Gpu> positions, std::int32_t position) {
  return position == no_sentence ? KernelRow<Real>{nullptr, 0} : row_or_nan(positions, position);
}

}  // namespace gradus
