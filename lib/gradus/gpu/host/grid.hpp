#pragma once
/// \file
/// CUDA's names for a thread's place in the grid. They are plain globals, set each time before a thread continues.
/// So a debugger can stop at one thread:  break layer_norm_cuda.cu:40 if threadIdx.x == 7

#include <cstddef>

// NOLINTBEGIN(readability-identifier-naming): these are CUDA's names.
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;
// NOLINTEND(readability-identifier-naming)

namespace gradus::gpu {

/// The size of a launch: blocks of the grid, threads of a block (a multiple of 32), and bytes of dynamic shared
/// memory for each block.
struct Grid {
  dim3 blocks, threads;
  std::size_t shared_bytes = 0;
};

/// The largest `shared_bytes` of a launch, without and with allow_shared.
constexpr std::size_t plain_shared_bytes = std::size_t{48} << 10;
std::size_t most_shared_bytes();

}  // namespace gradus::gpu
