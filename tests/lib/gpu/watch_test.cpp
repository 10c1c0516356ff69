// The two sanitized forms must be able to fail: this program runs itself with one hidden test, whose kernel has one
// mistake.

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "gradus/device/cuda.hpp"
#include "gradus/gpu/host/sanitizers.hpp"
#include "gradus/kernels/reduce.hpp"
#include "lib/gpu/on_device.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Whether this program reports an error in the hidden test `tag`.
bool is_caught(const std::string& tag) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const int status = std::system(("'" + program + "' '[." + tag + "]' > /dev/null 2>&1").c_str());
  return status != 0;
}

/// Every thread writes, and reads the value of a thread of another warp; twice, in the same shared memory.
template <bool first, bool second>
__global__ void exchange_kernel(View<int, 1, Gpu> y) {
  int* const shared = gpu::shared<struct Exchange, int, 64>();
  const unsigned i = threadIdx.x, other = (i + 32) % 64;
  for (int trip = 0; trip < 2; ++trip) {
    shared[i] = static_cast<int>(i);
    if constexpr (first) __syncthreads();
    y[blockIdx.x * 64 + i] = shared[other];
    if constexpr (second) __syncthreads();
  }
}
template <bool first, bool second>
void exchange() {
  const OnDevice<int> y(128);
  gpu::launch(exchange_kernel<first, second>, {2, 64}, y.view());
}

enum class Between { nothing, shuffle, vote, barrier };

/// Each lane writes, and reads its neighbour's value.
template <Between between>
__global__ void lanes_kernel(View<int, 1, Gpu> y) {
  y[threadIdx.x] = 1;
  if constexpr (between == Between::barrier) __syncwarp();
  if constexpr (between == Between::shuffle) y[64 + threadIdx.x] = gpu::warp_sum(1);
  if constexpr (between == Between::vote) y[64 + threadIdx.x] = __any_sync(gpu::all_lanes, 1);
  y[32 + threadIdx.x] = y[(threadIdx.x + 1) % 32];
}
template <Between between>
void lanes() {
  const OnDevice<int> y(96);
  gpu::launch(lanes_kernel<between>, {1, 32}, y.view());
}

/// Both blocks write element 0.
__global__ void blocks_kernel(View<int, 1, Gpu> y) {
  if (threadIdx.x == 0) y[0] = 1;
}

/// Element i + past, for those of 32 threads that are below 3.
__global__ void past_kernel(View<int, 1, Gpu> y, unsigned past) {
  if (threadIdx.x < 3) y[threadIdx.x + past] = 1;
}

/// Two tensors that use the workspace's memory in turn, the second of another size, and one that stays beside them.
void take_turns(Cuda<float>& dev) {
  const View<int, 1, Gpu> beside = dev.kept.ints(3);
  for (const std::size_t n : {3, 5}) {
    const Scratch scope(dev);
    gpu::launch(past_kernel, {1, 32}, dev.scratch.ints(n), static_cast<unsigned>(n - 3));
    gpu::launch(past_kernel, {1, 32}, beside, 0U);
  }
}

/// The last of 33 elements of shared memory, and one more.
template <int past>
__global__ void shared_past_kernel() {
  gpu::shared<struct Past, int, 33>()[threadIdx.x + 1 + past] = 1;
}

}  // namespace

TEST_CASE("right", "[.right]") {
  exchange<true, true>();
  lanes<Between::barrier>();
  const OnDevice<int> y(3);
  gpu::launch(past_kernel, {1, 32}, y.view(), 0U);
  gpu::launch(shared_past_kernel<0>, {1, 32});
  Cuda<float> dev;
  for (int i = 0; i < 4; ++i) dev.run_step({}, [&] { take_turns(dev); });  // run, recorded, replayed
}
TEST_CASE("no first barrier", "[.first]") { exchange<false, true>(); }
TEST_CASE("no second barrier", "[.second]") { exchange<true, false>(); }
TEST_CASE("no barrier of the warp", "[.lanes]") { lanes<Between::nothing>(); }
TEST_CASE("a shuffle in its place", "[.shuffle]") { lanes<Between::shuffle>(); }
TEST_CASE("a vote in its place", "[.vote]") { lanes<Between::vote>(); }
TEST_CASE("two blocks write the same element", "[.blocks]") {
  const OnDevice<int> y(1);
  gpu::launch(blocks_kernel, {2, 32}, y.view());
}
TEST_CASE("past the end", "[.past]") {
  const OnDevice<int> y(3), other(3);
  gpu::launch(past_kernel, {1, 32}, y.view(), 1U);
}
TEST_CASE("past the end of a tensor of the workspace", "[.workspace]") {
  Cuda<float> dev;
  const auto y = dev.scratch.ints(3), other = dev.scratch.ints(3);
  REQUIRE(y.data < other.data);
  gpu::launch(past_kernel, {1, 32}, y, 1U);
}
TEST_CASE("given back to the workspace", "[.returned]") {
  Cuda<float> dev;
  const auto mark = dev.scratch.mark();
  const auto y = dev.scratch.ints(3);
  dev.scratch.release(mark);
  gpu::launch(past_kernel, {1, 32}, y, 0U);
}
TEST_CASE("given back by the step before", "[.last_step]") {
  Cuda<float> dev;
  View<int, 1, Gpu> y;
  for (int i = 0; i < 3; ++i) dev.run_step({}, [&] { y = dev.kept.ints(3); });
  dev.reset();
  gpu::launch(past_kernel, {1, 32}, y, 0U);
}
TEST_CASE("past the end of shared memory", "[.shared]") { gpu::launch(shared_past_kernel<1>, {1, 32}); }

TEST_CASE(
    "host layer: _thread finds races, _address finds what is out of bounds, and neither a right kernel wrong") {
  using namespace gpu::host;
  CHECK_FALSE(is_caught("right"));
  for (const char* race : {"first", "second", "lanes", "shuffle", "vote", "blocks"})
    CHECK(is_caught(race) == watches_races);
  for (const char* stray : {"past", "workspace", "returned", "last_step", "shared"})
    CHECK(is_caught(stray) == watches_bounds);
}
