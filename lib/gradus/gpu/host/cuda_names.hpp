#pragma once
/// \file
/// CUDA's keywords and functions that kernels use, on the host.

#include <math.h>  // kernels call exp(x), not std::exp(x), in the type of x

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gradus/gpu/host/threads.hpp"

// NOLINTBEGIN: these are CUDA's names.
#define __global__
#define __device__
#define __launch_bounds__(...)

inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  gradus::gpu::host::sync_block(file, line);
}

namespace gradus::gpu::host {

inline int lane() {
  return static_cast<int>((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
}

/// The first lane of the calling lane's group of `width`.
inline int group(int width) { return lane() / width * width; }

/// Copies eight bytes at a time, so any plain type can be shuffled. If the source is not one of the lanes first ..
/// end - 1, the lane gets its own value.
template <class T>
T shuffle(unsigned mask, T value, int source, int first, int end) {
  static_assert(std::is_trivially_copyable_v<T>, "a shuffle copies bytes");
  if (source < first || source >= end) source = lane();
  for (std::size_t at = 0; at < sizeof(T); at += 8) {
    std::uint64_t bits = 0;
    const std::size_t n = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
    std::memcpy(&bits, reinterpret_cast<char*>(&value) + at, n);
    bits = meet(WarpFunction::shuffle, mask, bits, source);
    std::memcpy(reinterpret_cast<char*>(&value) + at, &bits, n);
  }
  return value;
}

}  // namespace gradus::gpu::host

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  const int first = gradus::gpu::host::group(width);
  return gradus::gpu::host::shuffle(mask, value, first + (source & (width - 1)), first, first + width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  const int end = gradus::gpu::host::group(width) + width;  // a lane may read earlier groups, but not later ones
  return gradus::gpu::host::shuffle(mask, value, gradus::gpu::host::lane() ^ bits, 0, end);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, int by, int width = 32) {
  const int first = gradus::gpu::host::group(width);
  return gradus::gpu::host::shuffle(mask, value, gradus::gpu::host::lane() + by, first, first + width);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, int by, int width = 32) {
  const int first = gradus::gpu::host::group(width);
  return gradus::gpu::host::shuffle(mask, value, gradus::gpu::host::lane() - by, first, first + width);
}
inline unsigned __ballot_sync(unsigned mask, int vote) {
  using gradus::gpu::host::WarpFunction;
  return static_cast<unsigned>(gradus::gpu::host::meet(WarpFunction::ballot, mask, vote != 0 ? 1 : 0, 0));
}
inline int __any_sync(unsigned mask, int vote) { return __ballot_sync(mask, vote) != 0 ? 1 : 0; }
inline int __all_sync(unsigned mask, int vote) { return __ballot_sync(mask, vote) == mask ? 1 : 0; }
inline void __syncwarp(unsigned mask = 0xFFFFFFFF) {
  gradus::gpu::host::meet(gradus::gpu::host::WarpFunction::sync, mask, 0, 0);
}

/// Threads take turns, so this is atomic; the call tells the race detector so.
template <class T>
T atomicAdd(T* at, T value) {
  T before, after;
  __atomic_load(at, &before, __ATOMIC_RELAXED);
  do {
    after = before + value;
  } while (!__atomic_compare_exchange(at, &before, &after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return before;
}
// NOLINTEND
