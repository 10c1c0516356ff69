#pragma once
/// \file
/// A thread of a kernel on the host: its place in the grid, and where it waits for others. block.cpp implements it.

#include <cstdint>

// CUDA's names for a thread's place in the grid. They are plain globals, set each time before a thread continues.
// So a debugger can stop at one thread:  break layer_norm_cuda.cu:40 if threadIdx.x == 7
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

namespace gradus::gpu::host {

/// __syncthreads(): continues when all threads of the block have arrived. Errors: threads of one block wait in
/// different lines; a thread has returned while others wait. (Current GPUs accept the second. Here it is a rule: no
/// thread returns before the last barrier.)
void sync_block(const char* file, int line);

enum class WarpFunction { shuffle, ballot, sync };

/// Continues when all lanes of `mask` have arrived. Returns the function's result for this lane: the value of lane
/// `source`; or one bit for each lane whose value is not zero; or nothing. Errors: a mask without the calling lane;
/// lanes that meet in different functions or with overlapping masks; a shuffle from a lane outside the mask; a lane
/// that has returned.
std::uint64_t meet(WarpFunction function, unsigned mask, std::uint64_t value, int source);

/// See gpu::wait_for_earlier_work; it has no effect in a kernel that does not start early.
void wait_for_earlier_work();

}  // namespace gradus::gpu::host
