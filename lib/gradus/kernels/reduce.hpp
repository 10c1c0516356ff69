#pragma once
/// \file
/// Sums and maxima over the threads of a warp and of a block, for kernels. All lanes of a warp, or all threads of a
/// block, call them together, and all get the result: the same bits in every run, since the order of the additions is
/// fixed.

#include "gradus/gpu/language.hpp"

namespace gradus::gpu {

constexpr unsigned all_lanes = 0xFFFFFFFF;

/// The sum over the lanes of a warp, by halves: after five exchanges every lane has it.
template <class T>
__device__ T warp_sum(T value) {
  for (int half = 16; half > 0; half /= 2) value += __shfl_xor_sync(all_lanes, value, half);
  return value;
}

template <class T>
__device__ T warp_max(T value) {
  for (int half = 16; half > 0; half /= 2) {
    const T other = __shfl_xor_sync(all_lanes, value, half);
    value = other > value ? other : value;
  }
  return value;
}

struct BlockReduction;  // names the shared memory of the two below

/// The sum over the threads of a one-dimensional block: a sum for each warp, then the sum of these. The first barrier
/// is for those who called before: a warp that has not yet read the last result must not find a new one.
template <class T>
__device__ T block_sum(T value) {
  T* const of_warp = shared<BlockReduction, T, 32>();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_sum(value);
  __syncthreads();
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  return warp_sum(lane < blockDim.x / 32 ? of_warp[lane] : T(0));
}

/// The same for the maximum.
template <class T>
__device__ T block_max(T value) {
  T* const of_warp = shared<BlockReduction, T, 32>();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_max(value);
  __syncthreads();
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  return warp_max(of_warp[lane < blockDim.x / 32 ? lane : 0]);
}

/// How many blocks of `threads` cover n items; at least one, since no GPU launches none. The kernel's own bound says
/// which threads have work.
constexpr unsigned blocks_for(std::size_t n, unsigned threads) {
  return n == 0 ? 1 : static_cast<unsigned>((n + threads - 1) / threads);
}

}  // namespace gradus::gpu
