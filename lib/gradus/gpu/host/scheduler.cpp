#include "gradus/gpu/host/scheduler.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "gradus/gpu/grid_limits.hpp"
#include "gradus/util/error.hpp"

namespace gradus::gpu::host {
namespace {

struct Machine {
  Order order = Order::ascending;
  std::mt19937 random;
  bool runs_ahead = false;  // true: threads that became ready now run before those that were ready earlier
  Fiber* host = nullptr;    // the caller that launched the kernel
  Fiber* current = nullptr;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber*> idle;
  std::vector<std::size_t> ready;  // threads that may continue, the next one at `head`
  std::vector<uint3> places;       // threadIdx of each thread, divided once for a launch
  std::size_t head = 0, blocks_run = 0;
  const std::function<void()>* kernel = nullptr;
  const std::function<void()>* on_wait = nullptr;  // of a kernel that starts early
  bool is_open = false;                            // a thread of it has waited
  std::unique_ptr<Block> block;
  char begun = 0, ended = 0;  // edges: the host's work before the launch, the threads' work before its end
  std::string error;
};

Machine& machine() {
  static Machine& m = *new Machine;  // never destroyed, as device memory
  return m;
}

void put_in_order(std::vector<std::size_t>& numbers) {
  Machine& m = machine();
  if (m.order == Order::descending) std::reverse(numbers.begin(), numbers.end());
  if (m.order == Order::shuffled) std::shuffle(numbers.begin(), numbers.end(), m.random);
}

uint3 place(std::size_t i, const dim3& extent) {
  const auto n = static_cast<unsigned>(i);
  return {n % extent.x, n / extent.x % extent.y, n / (extent.x * extent.y)};
}

std::string text(const uint3& p) {
  return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ", " + std::to_string(p.z) + ")";
}

/// Suspends the current fiber; returns when another fiber switches back to it.
void go_on_with(Fiber& fiber) {
  Machine& m = machine();
  Fiber& self = *m.current;
  m.current = &fiber;
  self.switch_to(fiber);
  if (self.thread >= 0) threadIdx = m.places[static_cast<std::size_t>(self.thread)];
}

void run_threads();

/// Without barriers one fiber runs all threads of a grid, one after the other; a thread that waits keeps its fiber.
/// Under the race detector each thread of a block has its own fiber, and a new one in each block.
Fiber& fiber_for(std::size_t thread) {
  Machine& m = machine();
  if (watches_races) return *m.fibers[(thread + m.blocks_run) % m.fibers.size()];
  if (m.idle.empty()) {
    m.fibers.push_back(std::make_unique<Fiber>(run_threads));
    m.idle.push_back(m.fibers.back().get());
  }
  Fiber& fiber = *m.idle.back();
  m.idle.pop_back();
  return fiber;
}

void end_thread() {
  const Unwatched bookkeeping;
  Machine& m = machine();
  note_return();
  m.block->fiber_of[running_thread()] = nullptr;
  m.current->thread = -1;
  if (!watches_races) m.idle.push_back(m.current);
  yield_thread();
}

/// The loop of every fiber: run a thread, then the next one.
void run_threads() {
  Machine& m = machine();
  for (;;) {
    {
      const Unwatched bookkeeping;
      threadIdx = m.places[running_thread()];
    }
    acquire_edge(&m.begun);
    (*m.kernel)();
    release_edge(&m.ended);
    end_thread();
  }
}

std::size_t threads_of(const Grid& grid) { return std::size_t{grid.threads.x} * grid.threads.y * grid.threads.z; }

void run_block(std::size_t threads, std::size_t shared_bytes, std::size_t shared_limit) {
  Machine& m = machine();
  ++m.blocks_run;
  m.block = std::make_unique<Block>(threads);
  if (*m.on_wait) m.block->has_waited.resize(threads);
  m.block->most_shared = shared_limit;
  if (shared_bytes != 0) shared_memory(nullptr, shared_bytes);
  make_ready(first_numbers(threads));
  yield_thread();  // the host continues when all threads have returned, or one has failed
  m.block.reset();
}

/// A kernel that failed leaves its threads suspended; their stacks are dropped.
void abandon() {
  Machine& m = machine();
  m.fibers.clear();
  m.idle.clear();
  m.ready.clear();
  m.head = 0;
  acquire_edge(&m.ended);
  fail(std::exchange(m.error, ""));
}

}  // namespace

/// There are two kinds of shuffled order. With an odd seed the next thread is drawn from all ready threads. With an
/// even seed lanes that have met run first, so that one warp runs ahead of the others as far as barriers allow;
/// random draws never do that.
void set_order(Order order, unsigned seed) {
  machine().order = order;
  machine().random.seed(seed);
  machine().runs_ahead = order == Order::shuffled && seed % 2 == 0;
}

void check_grid(const Grid& grid) {
  if (const std::string why = refused_grid(grid.blocks, grid.threads); !why.empty()) fail(why);
  const std::size_t threads = threads_of(grid);
  if (threads % lanes != 0) fail("a block of " + std::to_string(threads) + " threads is no whole number of warps");
}

void run(const Grid& grid, std::size_t shared_limit, const std::function<void()>& kernel,
         const std::function<void()>& on_wait) {
  check_grid(grid);
  const std::size_t threads = threads_of(grid);
  const Unwatched bookkeeping;
  Machine& m = machine();
  require(m.block == nullptr, "launch: another kernel is running; there is one stream, and no kernel launches one");
  Fiber host;
  m.host = m.current = &host;
  while (watches_races && m.fibers.size() < threads + 1) m.fibers.push_back(std::make_unique<Fiber>(run_threads));
  m.kernel = &kernel;
  m.on_wait = &on_wait;
  m.is_open = false;
  blockDim = grid.threads;
  gridDim = grid.blocks;
  m.places.clear();
  for (std::size_t i = 0; i < threads; ++i) m.places.push_back(place(i, blockDim));
  release_edge(&m.begun);
  std::vector<std::size_t> blocks = first_numbers(std::size_t{gridDim.x} * gridDim.y * gridDim.z);
  put_in_order(blocks);
  for (const std::size_t i : blocks) {
    blockIdx = place(i, gridDim);
    run_block(threads, grid.shared_bytes, shared_limit);
    if (!m.error.empty()) abandon();
  }
  acquire_edge(&m.ended);
}

void wait_for_earlier_work() {
  const Unwatched bookkeeping;
  Machine& m = machine();
  if (!*m.on_wait) return;
  m.block->has_waited[running_thread()] = true;
  if (!std::exchange(m.is_open, true)) (*m.on_wait)();
}

std::vector<std::size_t> first_numbers(std::size_t n) {
  std::vector<std::size_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

bool is_block_running() { return machine().block != nullptr; }
Block& running_block() { return *machine().block; }
std::size_t running_thread() { return static_cast<std::size_t>(machine().current->thread); }

void make_ready(std::vector<std::size_t> threads) {
  Machine& m = machine();
  put_in_order(threads);
  if (m.head == m.ready.size()) m.ready.clear(), m.head = 0;
  const auto front = m.ready.begin() + static_cast<std::ptrdiff_t>(m.head);
  m.ready.insert(m.runs_ahead ? front : m.ready.end(), threads.begin(), threads.end());
}

void yield_thread() {
  Machine& m = machine();
  release_edge(&m.ended);  // if another thread fails, this one ends here
  if (m.head == m.ready.size()) {
    if (m.block->live != 0) fail_kernel("the remaining threads wait for others that never come");
    return go_on_with(*m.host);
  }
  if (m.order == Order::shuffled && !m.runs_ahead)
    std::swap(m.ready[m.head], m.ready[m.head + m.random() % (m.ready.size() - m.head)]);
  const std::size_t thread = m.ready[m.head++];
  Fiber*& fiber = m.block->fiber_of[thread];
  if (fiber == nullptr) {
    fiber = &fiber_for(thread);
    fiber->thread = static_cast<int>(thread);
  }
  go_on_with(*fiber);
}

/// `what` is not a std::string: on a stack that is dropped its memory would leak.
void fail_kernel(const char* what) {
  Machine& m = machine();
  const Block& b = *m.block;
  m.error = what + (": block " + text(blockIdx)) + ", thread " + text(threadIdx) + ", last barrier " + b.file +
            ":" + std::to_string(b.line) + ", " + std::to_string(b.live) + " of " +
            std::to_string(b.fiber_of.size()) + " threads live, " + std::to_string(b.at_barrier) +
            " at the barrier";
  release_edge(&m.ended);
  go_on_with(*m.host);
  throw Error("unreachable");  // no fiber switches back to a kernel that failed
}

}  // namespace gradus::gpu::host
