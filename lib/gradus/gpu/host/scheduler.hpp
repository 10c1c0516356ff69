#pragma once
/// \file
/// The running block and its threads, which take turns: what barriers, warp functions and shared memory (block.cpp) are
/// made of. A thread that waits gives way; whoever lets it go on makes it ready.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "gradus/gpu/host/block.hpp"
#include "gradus/gpu/host/fiber.hpp"

namespace gradus::gpu::host {

constexpr unsigned lanes = 32;
constexpr std::size_t shared_limit = std::size_t{48} << 10;

/// Where threads wait for each other, as the race detector sees it: what each did before it came is seen by all after
/// they left. The next meeting has another edge. With one edge for all, a thread that leaves late would also see what
/// faster threads did on their way to the next meeting, and races between the two would be missed.
struct Edges {
  char edge[2] = {};
  unsigned generation = 0;
  void* now() { return &edge[generation % 2]; }
};

/// The lanes of one mask, on their way to a function of their warp.
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

  std::vector<Fiber*> fiber_of;  // where a thread was suspended; null before it starts and after it has returned
  std::vector<Warp> warps;
  std::map<const void*, std::vector<double>> shared;  // by tag; double, so that it is aligned
  std::size_t shared_bytes = 0, live, at_barrier = 0;
  const char* file = "none";  // of the last barrier
  int line = 0;
  Edges edges;
};

Block& running_block();
std::size_t running_thread();  ///< its number in the block

/// These threads may go on. In which order they do is for set_order to say.
void make_ready(std::vector<std::size_t> threads);

/// The running thread lets others go on, and returns when it was made ready and its turn has come. Error if nobody is
/// ready: all wait.
void yield_thread();

/// The running thread has returned from the kernel: Error if others wait for it.
void note_return();

}  // namespace gradus::gpu::host
