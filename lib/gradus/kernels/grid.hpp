#pragma once
/// \file
/// How many blocks a launch has, and which of them a block is.

#include "gradus/gpu/grid_limits.hpp"
#include "gradus/gpu/language.hpp"
#include "gradus/util/error.hpp"

namespace gradus::gpu {

/// How many blocks of `threads` cover n items; at least one, because a GPU cannot launch zero blocks. The kernel
/// checks its own bound, so surplus threads do nothing. Throws Error for more blocks than a grid has in any direction.
constexpr unsigned blocks_for(std::size_t n, unsigned threads) {
  const std::size_t blocks = n / threads + (n % threads != 0 ? 1 : 0);
  if (blocks > most_blocks_x) fail("no GPU launches " + std::to_string(blocks) + " blocks");
  return blocks == 0 ? 1 : static_cast<unsigned>(blocks);
}

/// A grid of x times y blocks. CUDA counts far fewer blocks in y than in x, so a large y goes over y and z. Then there may be
/// surplus blocks behind the last one, and the kernel checks its bound. It asks `block_y` for its number, not blockIdx.y.
inline dim3 blocks_xy(unsigned x, unsigned y) {
  const unsigned most = most_blocks_y();
  return y <= most ? dim3(x, y) : dim3(x, most, blocks_for(y, most));
}
inline __device__ std::size_t block_y() { return std::size_t{blockIdx.z} * gridDim.y + blockIdx.y; }

}  // namespace gradus::gpu
