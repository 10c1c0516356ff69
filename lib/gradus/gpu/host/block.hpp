#pragma once
/// \file
/// Runs a kernel: block after block, and in each block all its threads, which take turns. A thread runs until it has to
/// wait for others: at a barrier of its block, or in a function of its warp. So a run can be repeated exactly, and what
/// a GPU leaves undefined is an error here. turns.cpp is how they take turns; block.cpp is what they wait for.

#include <cstddef>
#include <cstdint>
#include <functional>

#include "gradus/gpu/host/grid.hpp"

namespace gradus::gpu::host {

/// In which order threads that may go on do so, and blocks run. A kernel whose result depends on it is wrong.
enum class Order { ascending, descending, shuffled };
void set_order(Order order, unsigned seed = 1);

/// Runs `kernel` once for each thread of the grid. Error (with block, thread and last barrier) for what a kernel may
/// not do; see the functions below.
void run(const Grid& grid, const std::function<void()>& kernel);

/// __syncthreads(): goes on when all threads of the block are here. Errors: threads of one block wait in different
/// lines; a thread has returned while others wait. (GPUs of today let the second pass. Here it is a rule: no thread
/// returns before the last barrier.)
void sync_block(const char* file, int line);

enum class WarpFunction { shuffle, ballot, sync };

/// Goes on when all lanes of `mask` are here, with what the function gives this lane: the value of lane `source`, a bit
/// for each lane whose value is not zero, or nothing. Errors: a mask without the calling lane; lanes that meet in
/// different functions or with masks that overlap; a shuffle from a lane outside the mask; a lane that has returned.
std::uint64_t meet(WarpFunction function, unsigned mask, std::uint64_t value, int source);

/// Shared memory of the running block, NaN at first: one piece for each `tag`. The tag of what the launch asked for
/// (dynamic shared memory) is null. Error beyond 48 KiB.
void* shared_memory(const void* tag, std::size_t bytes);

/// Ends the launch: `run` throws Error with `what` and where it happened.
[[noreturn]] void fail_kernel(const char* what);

}  // namespace gradus::gpu::host
