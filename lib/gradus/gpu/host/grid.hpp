#pragma once
/// \file
/// Where a CUDA thread finds itself: the names that CUDA gives to its place in the grid. They are plain globals, set
/// before a thread goes on, so a debugger stops where one wants:  break layer_norm_cuda.cu:40 if threadIdx.x == 7

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

/// How many threads run a kernel: blocks of the grid, threads of a block (a multiple of 32), bytes of shared memory
/// that a block has beside what the kernel declares itself.
struct Grid {
  dim3 blocks, threads;
  std::size_t shared_bytes = 0;
};

}  // namespace gradus::gpu
