#include <algorithm>
#include <cmath>

#include "lib/gpu/on_device.hpp"
#include "lib/gpu/orders.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A thread records its turn, before the barrier and after it.
__global__ void turns_kernel(View<int, 1, Gpu> turn, View<int, 1, Gpu> counter) {
  turn[threadIdx.x] = atomicAdd(&counter[0], 1);
  __syncthreads();
  turn[blockDim.x + threadIdx.x] = atomicAdd(&counter[0], 1);
}

std::vector<int> turns(std::size_t threads) {
  const OnDevice<int> turn(2 * threads), counter(std::vector<int>{0});
  gpu::launch(turns_kernel, {1, static_cast<unsigned>(threads)}, turn.view(), counter.view());
  return turn.values();
}

}  // namespace

TEST_CASE("host layer: threads that wait at different barriers") {
  check_refused("wait at different __syncthreads()",
                +[] {
                  if (threadIdx.x < 32) {
                    __syncthreads();  // these two barriers
                  } else {
                    __syncthreads();  // are different ones
                  }
                },
                {1, 64});
}

TEST_CASE("host layer: a thread that returns before the last barrier") {
  const auto first_returns = +[] {
    if (threadIdx.x == 0) return;
    __syncthreads();
  };
  const auto last_returns = +[] {
    if (threadIdx.x == 63) return;
    __syncthreads();
  };
  check_refused("__syncthreads() after some threads of the block have returned", first_returns, {1, 64});
  check_refused("a thread returned while others of its block wait", last_returns, {1, 64});
}

TEST_CASE("host layer: threads that wait for each other") {
  const auto kernel = +[] {
    if (threadIdx.x == 3) {
      __syncthreads();
    } else {
      __syncwarp();
    }
  };
  check_refused("the remaining threads wait for others that never come", kernel, {1, 32});
}

TEST_CASE("host layer: an error names block, thread and last barrier") {
  const auto kernel = +[] {
    __syncthreads();
    if (blockIdx.x == 1 && threadIdx.x == 37) __syncwarp(1);
  };
  check_refused("block (1, 0, 0), thread (37, 0, 0), last barrier", kernel, {2, 64});
  check_refused("block_test.cpp:", kernel, {2, 64});
}

TEST_CASE("host layer: shared memory is NaN at first, and ends at 48 KiB") {
  const auto look = +[](View<double, 1, Gpu> y) {
    const double* const own = gpu::shared<struct Fresh, double, 33>();
    const double* const asked_for = gpu::dynamic_shared<double>();
    y[threadIdx.x] = own[threadIdx.x];
    y[blockDim.x + threadIdx.x] = asked_for[threadIdx.x];
  };
  const OnDevice<double> y(std::vector<double>(64, 0.0));
  gpu::launch(look, {1, 32, 32 * sizeof(double)}, y.view());
  for (const double x : y.values()) CHECK(std::isnan(x));

  const auto half = +[] { gpu::shared<struct Half, char, 24 << 10>()[threadIdx.x] = 1; };
  const auto one_more = +[] { gpu::shared<struct HalfAndOne, char, (24 << 10) + 1>()[threadIdx.x] = 1; };
  gpu::launch(half, {1, 32, 24 << 10});
  const auto whole = +[] { gpu::shared<struct Whole, char, 48 << 10>()[threadIdx.x] = 1; };
  gpu::launch(whole, {1, 32});  // a launch without shared memory gets none
  check_refused("more than 48 KiB of shared memory", one_more, {1, 32, 24 << 10});
}

TEST_CASE("host layer: the same tag is the same memory, in one block and not in the next") {
  const auto kernel = +[](View<int, 1, Gpu> y) {
    int* const one = gpu::shared<struct One, int, 32>();
    int* const other = gpu::shared<struct Other, int, 32>();
    other[threadIdx.x] = 5;
    if (blockIdx.x == 0) one[threadIdx.x] = 7;
    y[blockIdx.x * 32 + threadIdx.x] = gpu::shared<struct One, int, 32>()[threadIdx.x];
  };
  const OnDevice<int> y(64);
  gpu::launch(kernel, {2, 32}, y.view());
  const std::vector<int> found = y.values();
  CHECK(std::count(found.begin(), found.end(), 7) == 32);
  CHECK(std::count(found.begin(), found.end(), -1) == 32);
}

TEST_CASE("host layer: threads go on in the order that was set") {
  using gpu::host::Order;
  const std::vector<int> ascending = turns(64);
  for (int i = 0; i < 128; ++i) REQUIRE(ascending[static_cast<std::size_t>(i)] == i);

  gpu::host::set_order(Order::descending);
  const std::vector<int> descending = turns(64);
  for (int i = 0; i < 128; ++i) {
    REQUIRE(descending[static_cast<std::size_t>(i)] == (i < 64 ? 63 - i : 127 - (i - 64)));
  }

  gpu::host::set_order(Order::shuffled, 3);
  const std::vector<int> shuffled = turns(64), another = turns(64);
  gpu::host::set_order(Order::shuffled, 3);
  const std::vector<int> again = turns(64);
  gpu::host::set_order(Order::ascending);
  CHECK(shuffled == again);
  CHECK(shuffled != another);
  CHECK_FALSE(std::is_sorted(shuffled.begin(), shuffled.end()));
  CHECK(std::all_of(shuffled.begin(), shuffled.begin() + 64, [](int turn) { return turn < 64; }));  // the barrier
}

TEST_CASE("host layer: blocks run in the order that was set") {
  using gpu::host::Order;
  const auto kernel = +[](View<int, 1, Gpu> y, View<int, 1, Gpu> next) {
    if (threadIdx.x == 0) y[blockIdx.x] = atomicAdd(&next[0], 1);
  };
  const auto blocks = [&](Order order, unsigned seed) {
    gpu::host::set_order(order, seed);
    const OnDevice<int> y(16), next(std::vector<int>{0});
    gpu::launch(kernel, {16, 32}, y.view(), next.view());
    gpu::host::set_order(Order::ascending);
    return y.values();
  };
  const std::vector<int> ascending = blocks(Order::ascending, 0), shuffled = blocks(Order::shuffled, 3);
  CHECK(std::is_sorted(ascending.begin(), ascending.end()));
  CHECK(blocks(Order::descending, 0) == std::vector<int>(ascending.rbegin(), ascending.rend()));
  CHECK(std::is_permutation(shuffled.begin(), shuffled.end(), ascending.begin()));
  CHECK(shuffled != ascending);
  CHECK(shuffled != blocks(Order::shuffled, 5));
}

TEST_CASE("host layer: in shuffled orders of an even seed a warp runs ahead of the others") {
  const auto kernel = +[](View<int, 1, Gpu> y, View<int, 1, Gpu> next) {
    for (int i = 0; i < 3; ++i) __syncwarp();
    y[threadIdx.x] = atomicAdd(&next[0], 1);
  };
  const auto ends_first = [&](unsigned seed) {
    gpu::host::set_order(gpu::host::Order::shuffled, seed);
    const OnDevice<int> y(128), next(std::vector<int>{0});
    gpu::launch(kernel, {1, 128}, y.view(), next.view());
    gpu::host::set_order(gpu::host::Order::ascending);
    int warps = 0;  // the lanes of each warp end one after the other
    const std::vector<int> turn = y.values();
    for (auto lane = turn.begin(); lane != turn.end(); lane += 32) {
      const auto [first, last] = std::minmax_element(lane, lane + 32);
      warps += *last - *first == 31 ? 1 : 0;
    }
    return warps;
  };
  CHECK(ends_first(2) == 4);
  CHECK(ends_first(4) == 4);
  CHECK(ends_first(3) < 4);
}

TEST_CASE("host layer: every thread of a grid of three dimensions runs once") {
  const auto kernel = +[](View<int, 1, Gpu> y) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    y[block * 64 + thread] += 1;
  };
  in_every_order([&] {
    const OnDevice<int> y(std::vector<int>(24 * 64, 0));
    gpu::launch(kernel, {{2, 3, 4}, {4, 8, 2}}, y.view());
    const std::vector<int> found = y.values();
    CHECK(std::count(found.begin(), found.end(), 1) == 24 * 64);
  });
}
