#pragma once
/// \file
/// The running block and its threads, which take turns. Barriers, warp functions and shared memory (block.cpp) use
/// it. A thread that waits suspends itself; the thread that ends the wait makes it ready again.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "gradus/gpu/host/block.hpp"
#include "gradus/gpu/host/fiber.hpp"

namespace gradus::gpu::host {

constexpr unsigned lanes = 32;

/// A place where threads wait for each other, as the race detector sees it: after the meeting each thread sees what
/// all did before it. The next meeting uses another edge. With one edge for all meetings, a thread that leaves late
/// would also see what faster threads did before the next meeting, and the detector would miss races between the
/// two.
struct Edges {
  char edge[2] = {};
  unsigned generation = 0;
  void* now() { return &edge[generation % 2]; }
};

/// The lanes of one mask that wait in a function of their warp.
struct WarpSync {
  unsigned here = 0;
  WarpFunction function{};
  int source[lanes] = {};
  std::uint64_t in[lanes] = {}, out[lanes] = {};
  Edges edges;
};

struct Warp {
  std::map<unsigned, WarpSync> syncs;  // by mask
  unsigned returned = 0;               // lanes
};

struct Block {
  explicit Block(std::size_t n) : fiber_of(n), warps(n / lanes), live(n) {}

  // the fiber of each suspended thread; null before it starts and after it has returned
  std::vector<Fiber*> fiber_of;
  std::vector<Warp> warps;
  std::map<const void*, std::vector<double>> shared;  // by tag; double, so that it is aligned
  std::vector<bool> has_waited;                       // for earlier work; empty if the kernel does not start early
  std::size_t shared_bytes = 0, own_bytes = 0, live, at_barrier = 0;
  std::size_t most_shared = plain_shared_bytes;
  const char* file = "none";  // of the last barrier
  int line = 0;
  Edges edges;
};

bool is_block_running();
Block& running_block();
std::size_t running_thread();  ///< its number in the block

/// 0, 1 .. n - 1.
std::vector<std::size_t> first_numbers(std::size_t n);

/// Marks these threads as ready. set_order decides the order in which they run.
void make_ready(std::vector<std::size_t> threads);

/// Lets other threads run, and returns when the running thread was made ready and its turn has come. Throws Error
/// if no thread is ready, because then all wait.
void yield_thread();

/// Call it when the running thread has returned from the kernel. Throws Error if others wait for it, or if it has not waited for
/// earlier work and should have.
void note_return();

}  // namespace gradus::gpu::host
