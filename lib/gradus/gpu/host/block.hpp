#pragma once
/// \file
/// Runs a kernel on the host: the blocks one after the other, and in each block all threads in turn. A thread runs
/// until it has to wait: at a barrier of its block, or in a function of its warp. So a run can be repeated exactly,
/// and behaviour that a GPU leaves undefined is an error here. scheduler.cpp decides whose turn it is; block.cpp holds
/// the barriers and warp functions.

#include <cstddef>
#include <functional>

#include "gradus/gpu/host/threads.hpp"

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

/// What an H100 has; only a real compiler of kernels uses it, for their registers.
constexpr unsigned blocks_side_by_side(std::size_t shared_bytes) {
  return static_cast<unsigned>((std::size_t{228} << 10) / (shared_bytes + 1024));
}

/// How many blocks `blocks_xy` puts into y: CUDA's limit, or another one for tests.
unsigned most_blocks_y();

namespace host {

/// The order in which threads that are ready run, and in which blocks run. A kernel whose result depends on this
/// order is wrong.
enum class Order { ascending, descending, shuffled };
void set_order(Order order, unsigned seed = 1);

/// Runs `kernel` once for each thread of the grid, whose blocks may have `shared_limit` bytes of shared memory. Throws Error, with
/// block, thread and last barrier, for the mistakes that the functions below list. With `on_wait` the kernel may start early: the first
/// thread that calls wait_for_earlier_work calls on_wait, and every thread must call that function.
void run(const Grid& grid, std::size_t shared_limit, const std::function<void()>& kernel,
         const std::function<void()>& on_wait = {});

/// Throws Error for a grid that CUDA refuses, and for a block that is no whole number of warps.
void check_grid(const Grid& grid);
void set_most_blocks_y(unsigned n);
unsigned most_blocks_y();

/// As on a GPU, a launch with more than 48 KiB of shared memory needs a kernel that was allowed to have it, and
/// a limit remains: that of an H100, or another one for tests.
void allow_shared_of(const void* kernel);
void set_most_shared(std::size_t bytes);
std::size_t shared_limit(const void* kernel);
void check_shared(const void* kernel, std::size_t bytes);  ///< throws Error if the dynamic part alone is too much
std::size_t most_shared_bytes();

/// Shared memory of the running block, filled with NaN at first: one array for each `tag`. Dynamic shared memory,
/// which the launch asks for, has a null tag. Error beyond the launch's limit, and if the kernel's own arrays have more than 48 KiB.
void* shared_memory(const void* tag, std::size_t bytes);

/// Whether an address is in the shared memory of the running block; false if none runs. For tools that watch a kernel.
bool is_shared_memory(const void* at);

/// Ends the launch: `run` throws Error with `what` and the place in the kernel.
[[noreturn]] void fail_kernel(const char* what);

}  // namespace host
}  // namespace gradus::gpu
