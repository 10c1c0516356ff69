#pragma once
/// \file
/// Sums and maxima over the threads of a warp or of a block, for kernels. All lanes of the warp, or all threads of
/// the block, must make the call together, and all get the result. The order of additions is fixed, so every run
/// gives the same bits.

#include "gradus/kernels/grid.hpp"

namespace gradus::gpu {

constexpr unsigned all_lanes = 0xFFFFFFFF;

/// The sum over the lanes of a warp, by halving: after five exchanges every lane has it. With a smaller `width`, a power
/// of two, each group of so many neighbouring lanes gets its own sum.
template <int width = 32, class T>
__device__ T warp_sum(T value) {
  for (int half = width / 2; half > 0; half /= 2) value += __shfl_xor_sync(all_lanes, value, half);
  return value;
}

template <int width = 32, class T>
__device__ T warp_max(T value) {
  for (int half = width / 2; half > 0; half /= 2) {
    const T other = __shfl_xor_sync(all_lanes, value, half);
    value = other > value ? other : value;
  }
  return value;
}

struct BlockReduction;  // distinguishes the shared memory of the two functions below

/// The sum over the threads of a one-dimensional block: one sum for each warp, then the sum of these. The first
/// barrier protects the previous call: its result must stay until every warp has read it.
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

}  // namespace gradus::gpu
