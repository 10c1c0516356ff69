#pragma once
/// \file
/// The names of gpu/language.hpp under nvcc.

#include <cuda_runtime.h>

#include <cstddef>
#include <nv/target>
#include <string>

#include "gradus/gpu/grid_limits.hpp"
#include "gradus/gpu/nvcc/ptx.hpp"
#include "gradus/gpu/runtime.hpp"

namespace gradus::gpu {

/// The size of a launch: blocks of the grid, threads of a block (a multiple of 32), and bytes of dynamic shared
/// memory for each block.
struct Grid {
  dim3 blocks, threads;
  std::size_t shared_bytes = 0;
};

cudaStream_t stream();       ///< the stream for all work; in the second branch of in_parallel, that branch's
bool is_in_second_branch();  ///< of in_parallel
void check(cudaError_t result, const char* what);  ///< throws Error; the message begins with `what`

/// Throws Error, with the kernel's name, for a grid that CUDA refuses.
void check_grid(const void* kernel, const Grid& grid);
/// Throws Error, with the kernel's name, if its launch was refused, or if the kernel failed and CUDA_LAUNCH_BLOCKING is set. `name` is
/// that of name_before_launch.
void check_launch(const void* kernel, const std::string& name);
std::string name_before_launch(
    const void* kernel);  ///< "" unless launches wait: after a fault CUDA answers nothing

/// The largest `shared_bytes` of a launch, without and with allow_shared.
constexpr std::size_t plain_shared_bytes = std::size_t{48} << 10;
std::size_t most_shared_bytes();

/// Shared memory of a multiprocessor, of the GPUs that this code is compiled for: CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability". CUDA takes 1 KiB of it for each block.
constexpr std::size_t multiprocessor_shared_bytes() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1200 || __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890
  return std::size_t{100} << 10;
#elif __CUDA_ARCH__ >= 900
  return std::size_t{228} << 10;
#elif __CUDA_ARCH__ >= 800
  return std::size_t{164} << 10;
#elif __CUDA_ARCH__ >= 750
  return std::size_t{64} << 10;
#else
  return std::size_t{96} << 10;
#endif
}
constexpr unsigned blocks_side_by_side(std::size_t shared_bytes) {
  const std::size_t blocks = multiprocessor_shared_bytes() / (shared_bytes + 1024);
  return blocks == 0 ? 1 : static_cast<unsigned>(blocks);
}

/// How many blocks `blocks_xy` puts into y.
constexpr unsigned most_blocks_y() { return most_blocks_yz; }

void allow_shared_of(const void* kernel);  ///< asks CUDA once for each kernel
template <class... P>
void allow_shared(void (*kernel)(P...)) {
  allow_shared_of(reinterpret_cast<const void*>(kernel));
}

template <class Tag, class T, int n>
__device__ T* shared() {
  __shared__ T memory[n];
  return memory;
}

template <class T>
__device__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char memory[];
  return reinterpret_cast<T*>(memory);
}

/// With `early` the kernel may start while earlier work still runs: CUDA calls it programmatic dependent launch.
template <class... P, class... A>
void launch_as(bool early, void (*kernel)(P...), const Grid& grid, A... arguments) {
  const auto* const address = reinterpret_cast<const void*>(kernel);
  check_grid(address, grid);
  const std::string name = name_before_launch(address);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid.blocks, config.blockDim = grid.threads, config.dynamicSmemBytes = grid.shared_bytes;
  config.stream = stream();
  config.attrs = &attribute, config.numAttrs = early ? 1 : 0;
  cudaLaunchKernelEx(&config, kernel, static_cast<P>(arguments)...);
  check_launch(address, name);
}
template <class... P, class... A>
void launch(void (*kernel)(P...), const Grid& grid, A... arguments) {
  launch_as(false, kernel, grid, arguments...);
}
template <class... P, class... A>
void launch_early(void (*kernel)(P...), const Grid& grid, A... arguments) {
  launch_as(starts_early(), kernel, grid, arguments...);
}

/// Code for a GPU before compute capability 9 does not wait, and is never started early (`starts_early`).
inline __device__ void wait_for_earlier_work() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (cudaGridDependencySynchronize();))
}

}  // namespace gradus::gpu
