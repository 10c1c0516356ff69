#include <algorithm>

#include "lib/gpu/on_device.hpp"
#include "lib/gpu/orders.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr unsigned low = 0x0000FFFF, high = 0xFFFF0000, all = 0xFFFFFFFF;

/// The result of `kernel` in each lane of one warp.
template <class T>
std::vector<T> of_lanes(void (*kernel)(View<T, 1, Gpu>)) {
  const OnDevice<T> y(32);
  gpu::launch(kernel, {1, 32}, y.view());
  return y.values();
}

}  // namespace

TEST_CASE("host layer: masks that do not fit") {
  check_refused("a mask that leaves itself out", +[] { __syncwarp(all - 1); }, {1, 32});
  check_refused("masks that overlap", +[] { __syncwarp(threadIdx.x < 8 ? low : all); }, {1, 32});
  check_refused("a shuffle reads a lane that is not in its mask",
                +[] {
                  if (threadIdx.x < 16) __shfl_sync(low, 1, 20);
                },
                {1, 32});
}

TEST_CASE("host layer: lanes that meet in different functions") {
  const auto kernel = +[] {
    if (threadIdx.x % 2 == 0) {
      __syncwarp();
    } else {
      __ballot_sync(all, 1);
    }
  };
  check_refused("lanes of one warp meet in different functions", kernel, {1, 32});
}

TEST_CASE("host layer: a lane that returned before a function of its warp") {
  const auto kernel = +[] {
    if (threadIdx.x % 32 == 31) return;
    __syncwarp();
  };
  check_refused("a lane returned while its warp waits for it", kernel, {1, 64});
  gpu::host::set_order(gpu::host::Order::descending);
  check_refused("waits for a lane that has returned", kernel, {1, 64});
  gpu::host::set_order(gpu::host::Order::ascending);
}

TEST_CASE("host layer: a whole warp may return while others go on in functions of theirs") {
  const auto kernel = +[](View<int, 1, Gpu> y) {
    if (threadIdx.x / 32 == 1) return;
    y[threadIdx.x] = static_cast<int>(__ballot_sync(all, threadIdx.x == 64));
  };
  const OnDevice<int> y(std::vector<int>(96, -2));
  in_every_order([&] { gpu::launch(kernel, {1, 96}, y.view()); });
  const std::vector<int> found = y.values();
  CHECK(found[0] == 0);
  CHECK(found[32] == -2);
  CHECK(found[95] == 1);
}

TEST_CASE("host layer: two groups of lanes in different functions at once") {
  const auto kernel = +[](View<unsigned, 1, Gpu> y) {
    const unsigned lane = threadIdx.x;
    for (unsigned trip = 0; trip < 3; ++trip) {
      if (lane < 16) {
        y[lane] = __shfl_xor_sync(low, 10 * lane + trip, 1);
      } else {
        y[lane] = __ballot_sync(high, lane % 3 == trip);
      }
    }
  };
  in_every_order([&] {
    const std::vector<unsigned> found = of_lanes<unsigned>(kernel);
    unsigned votes = 0;
    for (unsigned l = 16; l < 32; ++l) votes |= (l % 3 == 2 ? 1U : 0U) << l;
    for (unsigned l = 0; l < 32; ++l) REQUIRE(found[l] == (l < 16 ? 10 * (l ^ 1) + 2 : votes));
  });
}

TEST_CASE("host layer: shuffles, by lane, up, down and crosswise, in groups of 8") {
  const auto shuffle = +[](View<int, 1, Gpu> y) { y[threadIdx.x] = __shfl_sync(all, int(threadIdx.x), 11, 8); };
  const auto up = +[](View<int, 1, Gpu> y) { y[threadIdx.x] = __shfl_up_sync(all, int(threadIdx.x), 3, 8); };
  const auto down = +[](View<int, 1, Gpu> y) { y[threadIdx.x] = __shfl_down_sync(all, int(threadIdx.x), 3, 8); };
  const auto cross = +[](View<int, 1, Gpu> y) { y[threadIdx.x] = __shfl_xor_sync(all, int(threadIdx.x), 12, 8); };
  const std::vector<int> shuffled = of_lanes(shuffle), upped = of_lanes(up), downed = of_lanes(down),
                         crossed = of_lanes(cross);
  for (int i = 0; i < 32; ++i) {
    const auto at = static_cast<std::size_t>(i);
    CHECK(shuffled[at] == i / 8 * 8 + 3);
    CHECK(upped[at] == (i % 8 < 3 ? i : i - 3));
    CHECK(downed[at] == (i % 8 >= 5 ? i : i + 3));
    // a lane can read an earlier group, but not a later one
    CHECK(crossed[at] == ((i ^ 12) / 8 > i / 8 ? i : i ^ 12));
  }
}

TEST_CASE("host layer: a struct of more than eight bytes is shuffled whole") {
  struct Three {
    double a;
    float b;
    int c;
  };
  const auto kernel = +[](View<double, 1, Gpu> y) {
    const Three own{threadIdx.x + 0.25, threadIdx.x + 0.5F, static_cast<int>(threadIdx.x)};
    const Three of_5 = __shfl_sync(all, own, 5);
    y[threadIdx.x] = of_5.a + of_5.b + of_5.c;
  };
  const std::vector<double> found = of_lanes<double>(kernel);
  CHECK(std::all_of(found.begin(), found.end(), [](double x) { return x == 15.75; }));
}

TEST_CASE("host layer: votes") {
  const auto kernel = +[](View<int, 1, Gpu> y) {
    const int is_odd = static_cast<int>(threadIdx.x % 2);
    y[threadIdx.x] = __any_sync(all, is_odd) + 2 * __all_sync(all, is_odd) + 4 * __all_sync(all, 1) +
                     8 * __any_sync(all, 0) + 16 * (__ballot_sync(all, is_odd) == 0xAAAAAAAA ? 1 : 0);
  };
  const std::vector<int> found = of_lanes<int>(kernel);
  CHECK(std::all_of(found.begin(), found.end(), [](int x) { return x == 1 + 4 + 16; }));
}

TEST_CASE("host layer: atomicAdd adds every value and returns the old one") {
  const auto kernel = +[](View<int, 1, Gpu> sum, View<int, 1, Gpu> seen) {
    seen[static_cast<std::size_t>(atomicAdd(&sum[0], 1))] += 1;
  };
  in_every_order([&] {
    const OnDevice<int> sum(std::vector<int>{0}), seen(std::vector<int>(192, 0));
    gpu::launch(kernel, {2, 96}, sum.view(), seen.view());
    CHECK(sum.values()[0] == 192);
    CHECK(seen.values() == std::vector<int>(192, 1));
  });
}
