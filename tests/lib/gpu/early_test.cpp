// Kernels that may start while earlier work still runs: they access no device memory before they have waited for it.

#include "lib/gpu/on_device.hpp"
#include "lib/gpu/orders.hpp"
#include "support/launches.hpp"
#include "support/signals.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Ints1 = View<int, 1, Gpu>;

const auto waits = +[](Ints1 y) {
  gpu::wait_for_earlier_work();
  y[32 * blockIdx.x + threadIdx.x] += 1;
};
const auto reads_before = +[](Ints1 y) {
  const int before = y[32 * blockIdx.x + threadIdx.x];
  gpu::wait_for_earlier_work();
  y[32 * blockIdx.x + threadIdx.x] = before + 1;
};
const auto writes_before = +[](Ints1 y) {
  y[32 * blockIdx.x + threadIdx.x] = 1;
  gpu::wait_for_earlier_work();
};
const auto one_thread_leaves = +[](Ints1 y) {
  if (blockIdx.x == 1 && threadIdx.x == 9) return;
  gpu::wait_for_earlier_work();
  y[32 * blockIdx.x + threadIdx.x] += 1;
};
const auto fails_after = +[](Ints1) {
  gpu::wait_for_earlier_work();
  __syncwarp(0);
};

constexpr const char* no_wait = "a thread of launch_early returned and has not called wait_for_earlier_work()";

}  // namespace

TEST_CASE("early kernels: work as others do, and both kinds of launch take a kernel that waits") {
  const OnDevice<int> y(std::vector<int>(64, 3));
  in_every_order([&] { gpu::launch_early(waits, {2, 32}, y.view()); });
  CHECK(y.values() == std::vector<int>(64, 9));
  gpu::launch(waits, {2, 32}, y.view());
  CHECK(y.values() == std::vector<int>(64, 10));
}

TEST_CASE("early kernels: an access of device memory before the wait is a fault") {
  const OnDevice<int> y(std::vector<int>(64, 3));
  CHECK(signal_of([&] { gpu::launch_early(waits, {2, 32}, y.view()); }) == 0);
  CHECK(signal_of([&] { gpu::launch_early(reads_before, {2, 32}, y.view()); }) == SIGSEGV);
  CHECK(signal_of([&] { gpu::launch_early(writes_before, {2, 32}, y.view()); }) == SIGSEGV);
  CHECK(signal_of([&] { gpu::launch(reads_before, {2, 32}, y.view()); }) == 0);
}

TEST_CASE("early kernels: every thread must wait") {
  const OnDevice<int> y(std::vector<int>(64, 3));
  CHECK_THROWS_WITH(gpu::launch_early(one_thread_leaves, {2, 32}, y.view()),
                    contains(no_wait) && contains("thread (9, 0, 0)"));
  check_layer_works();
  CHECK_NOTHROW(gpu::launch(one_thread_leaves, {2, 32}, y.view()));
}

TEST_CASE("early kernels: device memory is closed again after one, also after one that failed") {
  const OnDevice<int> y(std::vector<int>(64, 3));
  const volatile int* const at = y.data();
  gpu::launch_early(waits, {2, 32}, y.view());
  CHECK(signal_of([&] { (void)at[1]; }) == SIGSEGV);
  CHECK_THROWS_WITH(gpu::launch_early(fails_after, {1, 32}, y.view()), contains("leaves itself out"));
  CHECK(signal_of([&] { (void)at[1]; }) == SIGSEGV);
}

TEST_CASE(
    "early kernels: a replay starts them as they were recorded, and a comparison sees another kind of launch") {
  const OnDevice<int> y(std::vector<int>(64, 3));
  const auto early = [&] { gpu::launch_early(waits, {2, 32}, y.view()); };
  const auto late = [&] { gpu::launch(waits, {2, 32}, y.view()); };
  gpu::Recording recording;
  recording.begin();
  early();
  recording.end();
  recording.replay();
  CHECK(y.values() == std::vector<int>(64, 4));
  CHECK_NOTHROW(recording.compare(early));
  CHECK_THROWS_WITH(recording.compare(late), contains("has other arguments"));
}

TEST_CASE("early kernels: a watcher is told which kernels may start early") {
  const OnDevice<int> y(std::vector<int>(64, 3));
  const auto told = launches_of([&] {
    gpu::launch(waits, {2, 32}, y.view());
    gpu::launch_early(waits, {2, 32}, y.view());
    gpu::launch_early(waits, {2, 32}, y.view());
  });
  CHECK(told.kernels == 3);
  CHECK(told.early == 2);
}
