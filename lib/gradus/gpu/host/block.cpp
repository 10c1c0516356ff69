#include "gradus/gpu/host/block.hpp"

#include <cstring>
#include <set>
#include <string>

#include "gradus/gpu/grid_limits.hpp"
#include "gradus/gpu/host/scheduler.hpp"
#include "gradus/util/error.hpp"

namespace gradus::gpu::host {
namespace {

constexpr bool is_in(unsigned mask, std::size_t lane) { return (mask >> lane & 1) != 0; }

/// The thread indices of the lanes in `mask`, in the warp that begins with thread `first`.
std::vector<std::size_t> threads_of(unsigned mask, std::size_t first) {
  std::vector<std::size_t> threads;
  threads.reserve(lanes);
  for (std::size_t l = 0; l < lanes; ++l) {
    if (is_in(mask, l)) threads.push_back(first + l);
  }
  return threads;
}

/// The last lane has arrived: gives every lane its result.
void answer(WarpSync& meeting, unsigned mask) {
  std::uint64_t votes = 0;
  for (unsigned l = 0; l < lanes; ++l) votes |= std::uint64_t{is_in(mask, l) && meeting.in[l] != 0} << l;
  for (unsigned l = 0; l < lanes; ++l) {
    if (!is_in(mask, l)) continue;
    if (meeting.function != WarpFunction::shuffle) {
      meeting.out[l] = votes;
    } else {
      const auto source = static_cast<unsigned>(meeting.source[l]);
      if (!is_in(mask, source)) fail_kernel("a shuffle reads a lane that is not in its mask");
      meeting.out[l] = meeting.in[source];
    }
  }
  meeting.here = 0;
  ++meeting.edges.generation;
}

void check_meeting(const Warp& warp, unsigned mask, std::size_t lane, WarpFunction function) {
  if (!is_in(mask, lane)) fail_kernel("a lane calls a warp function with a mask that leaves itself out");
  if ((mask & warp.returned) != 0) fail_kernel("a warp function waits for a lane that has returned");
  for (const auto& [other, meeting] : warp.syncs) {
    if (meeting.here == 0 || (other & mask) == 0) continue;
    if (other != mask) fail_kernel("lanes of one warp call warp functions with masks that overlap");
    if (meeting.function != function) fail_kernel("lanes of one warp meet in different functions");
  }
}

}  // namespace

void sync_block(const char* file, int line) {
  const Unwatched bookkeeping;
  Block& b = running_block();
  if (b.at_barrier != 0 && (b.line != line || std::strcmp(b.file, file) != 0)) {
    fail_kernel("threads of one block wait at different __syncthreads()");
  }
  b.file = file;
  b.line = line;
  if (b.live != b.fiber_of.size()) fail_kernel("__syncthreads() after some threads of the block have returned");
  void* const edge = b.edges.now();
  release_edge(edge);
  if (++b.at_barrier == b.live) {  // the last thread arrives
    b.at_barrier = 0;
    ++b.edges.generation;
    make_ready(first_numbers(b.live));
  }
  yield_thread();
  acquire_edge(edge);
}

std::uint64_t meet(WarpFunction function, unsigned mask, std::uint64_t value, int source) {
  const Unwatched bookkeeping;
  const std::size_t thread = running_thread(), lane = thread % lanes;
  Warp& warp = running_block().warps[thread / lanes];
  check_meeting(warp, mask, lane, function);
  WarpSync& meeting = warp.syncs[mask];
  meeting.here |= 1U << lane;
  meeting.function = function;
  meeting.in[lane] = value;
  meeting.source[lane] = source;
  // CUDA guarantees an order of memory for __syncwarp only; shuffles and votes exchange registers.
  const bool orders_memory = function == WarpFunction::sync;
  void* const edge = meeting.edges.now();
  if (orders_memory) release_edge(edge);
  if (meeting.here == mask) {
    answer(meeting, mask);
    make_ready(threads_of(mask, thread - lane));
  }
  yield_thread();
  if (orders_memory) acquire_edge(edge);
  return meeting.out[lane];
}

void note_return() {
  Block& b = running_block();
  const std::size_t thread = running_thread(), lane = thread % lanes;
  Warp& warp = b.warps[thread / lanes];
  for (const auto& [mask, meeting] : warp.syncs) {
    if (meeting.here != 0 && is_in(mask, lane)) fail_kernel("a lane returned while its warp waits for it");
  }
  if (b.at_barrier != 0) fail_kernel("a thread returned while others of its block wait at __syncthreads()");
  if (!b.has_waited.empty() && !b.has_waited[thread])
    fail_kernel("a thread of launch_early returned and has not called wait_for_earlier_work()");
  warp.returned |= 1U << lane;
  --b.live;
}

namespace {
std::set<const void*> allowed;                     // kernels
std::size_t most_shared = std::size_t{227} << 10;  // of an H100
unsigned blocks_in_y = most_blocks_yz;
}  // namespace

void set_most_blocks_y(unsigned n) { blocks_in_y = n; }

void allow_shared_of(const void* kernel) { allowed.insert(kernel); }
void set_most_shared(std::size_t bytes) { most_shared = bytes; }
std::size_t most_shared_bytes() { return most_shared; }
unsigned most_blocks_y() { return blocks_in_y; }
std::size_t shared_limit(const void* kernel) {
  return allowed.count(kernel) == 0 ? plain_shared_bytes : most_shared_bytes();
}

void check_shared(const void* kernel, std::size_t bytes) {
  if (bytes > most_shared_bytes())
    fail("no GPU launches a block with " + std::to_string(bytes) + " bytes of shared memory");
  if (bytes > shared_limit(kernel))
    fail("a launch with more than 48 KiB of shared memory, " + std::to_string(bytes) +
         " bytes, needs gpu::allow_shared(kernel) before it");
}

void* shared_memory(const void* tag, std::size_t bytes) {
  const Unwatched bookkeeping;
  Block& b = running_block();
  auto [at, is_new] = b.shared.try_emplace(tag);
  std::vector<double>& memory = at->second;
  if (is_new) {
    b.shared_bytes += bytes;
    if (tag != nullptr) b.own_bytes += bytes;
    if (b.own_bytes > plain_shared_bytes)
      fail_kernel("a kernel's own arrays have more than 48 KiB of shared memory");
    if (b.shared_bytes > b.most_shared)
      fail_kernel(b.most_shared == plain_shared_bytes ? "a block uses more than 48 KiB of shared memory"
                                                      : "a block uses more shared memory than a GPU has");
    memory.resize((bytes + sizeof(double) - 1) / sizeof(double));
    const std::size_t capacity = memory.size() * sizeof(double);
    std::memset(static_cast<void*>(memory.data()), 0xFF, capacity);
    forbid(reinterpret_cast<std::byte*>(memory.data()) + bytes, capacity - bytes);
  }
  return memory.data();
}

bool is_shared_memory(const void* at) {
  if (!is_block_running()) return false;
  for (const auto& [tag, memory] : running_block().shared) {
    if (at >= memory.data() && at < memory.data() + memory.size()) return true;
  }
  return false;
}

}  // namespace gradus::gpu::host
