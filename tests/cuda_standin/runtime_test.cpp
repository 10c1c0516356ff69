// gpu/nvcc/runtime.cu: what it asks of CUDA, and what it says when CUDA refuses.

#include <cstdlib>
#include <thread>

#include "cuda_standin/support.hpp"
#include "gradus/device/cuda.hpp"
#include "gradus/device/in_parallel.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Appends a digit: the last four digits of y are the last four launches, in the order in which they ran.
__global__ void append_kernel(View<int, 1, Gpu> y, int digit) {
  if (threadIdx.x == 0) y[0] = 10 * y[0] % 10'000 + digit;
}
/// The same in memory of which the launch says nothing, so that no rule is broken if nothing orders two of them.
__global__ void append_unseen_kernel(int* y, int digit) {
  if (threadIdx.x == 0) y[0] = 10 * y[0] % 10'000 + digit;
}
__global__ void early_kernel(View<int, 1, Gpu> y) {
  gpu::wait_for_earlier_work();
  if (threadIdx.x == 0) y[0] += 1;
}
__global__ void bytes_kernel(View<gpu::Bytes16, 1, Gpu> y) {
  gpu::Bytes16 b = gpu::load_16(&y[0]);
  b.z += 1;
  if (threadIdx.x == 0) gpu::store_16(&y[1], b);
}
__global__ void sum_kernel(View<int, 1, Gpu> y) {
  int* const all = gpu::dynamic_shared<int>();
  all[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) y[0] = all[31] + all[32];
}

/// The machine as it was, at the end.
struct OtherMachine {
  standin::Machine before = standin::machine();
  ~OtherMachine() { standin::machine() = before; }
};

}  // namespace

TEST_CASE("runtime.cu: a kernel, its shared memory, and accesses of 16 bytes") {
  check_layer_works();
  const OnDevice<int> y(1);
  gpu::launch(sum_kernel, {1, 64, 64 * sizeof(int)}, y.view());
  CHECK(y.values()[0] == 63);
  const OnDevice<gpu::Bytes16> bytes(std::vector<gpu::Bytes16>{{1, 2, 3, 4}, {}});
  gpu::launch(bytes_kernel, {1, 32}, bytes.view());
  const gpu::Bytes16 found = bytes.values()[1];
  CHECK((found.x == 1 && found.y == 2 && found.z == 4 && found.w == 4));
}

TEST_CASE("runtime.cu: what is missing, in one line") {
  const OtherMachine restored;
  CHECK(gpu::what_is_missing().empty());
  CHECK_THAT(gpu::device_text(), contains("driver for CUDA 13.0"));
  standin::machine().first_code = cudaErrorNoKernelImageForDevice;
  CHECK_THAT(gpu::what_is_missing(), contains("not built for this GPU"));
  standin::machine().count = 0;
  CHECK_FALSE(gpu::what_is_missing().empty());
  standin::machine().driver = cudaErrorInsufficientDriver;
  CHECK_FALSE(gpu::what_is_missing().empty());
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("runtime.cu: a launch that is refused names the kernel, and the next one is not refused") {
  const OnDevice<int> y(std::vector<int>{0});
  CHECK_THROWS_WITH(gpu::launch(append_kernel, {1, 2048}, y.view(), 1),
                    contains("the launch of gradus::(anonymous namespace)::some_kernel<float>: "));
  CHECK_THROWS_WITH(gpu::launch(append_kernel, {1, 32, std::size_t{49} << 10}, y.view(), 1),
                    contains("shared memory"));
  gpu::launch(append_kernel, {1, 32}, y.view(), 1);
  gpu::allow_shared(append_kernel);
  gpu::launch(append_kernel, {1, 32, std::size_t{49} << 10}, y.view(), 2);
  CHECK(y.values()[0] == 12);
}

TEST_CASE("runtime.cu: the fault of a kernel appears at a later call, with CUDA_LAUNCH_BLOCKING at its launch") {
  const auto faulty = +[](View<int, 1, Gpu>) {
    if (threadIdx.x == 3) __syncthreads();
  };
  const Anew anew;
  const OnDevice<int> y(1);
  if (std::getenv("CUDA_LAUNCH_BLOCKING") != nullptr) {  // the test runs twice
    CHECK_THROWS_WITH(gpu::launch(faulty, {1, 32}, y.view()),
                      contains("the launch of gradus::") && !contains("BLOCKING"));
    return;
  }
  CHECK_NOTHROW(gpu::launch(faulty, {1, 32}, y.view()));
  CHECK_THROWS_WITH(y.values(), contains("in a kernel that was launched before"));
}

TEST_CASE("runtime.cu: kernels start early only where both the GPU and the code can, and when it is allowed") {
  CHECK_FALSE(gpu::starts_early());
  const OnDevice<int> y(std::vector<int>{4});
  gpu::launch_early(early_kernel, {2, 32}, y.view());
  gpu::allow_early_starts(true);
  CHECK(gpu::starts_early());
  gpu::launch_early(early_kernel, {1, 32}, y.view());
  const auto does_not_wait = +[](View<int, 1, Gpu>) {};
  CHECK(y.values()[0] == 7);
  const Anew anew;
  gpu::launch_early(does_not_wait, {1, 32}, y.view());
  CHECK_THROWS_WITH(y.values(), contains("has not called wait_for_earlier_work"));
  gpu::allow_early_starts(false);
}

TEST_CASE("runtime.cu: an upload has read all of its memory, and a download has all of it") {
  std::vector<int> values{1, 2, 3};
  const OnDevice<int> y(values);
  values = {7, 7, 7};
  CHECK(y.values() == std::vector<int>{1, 2, 3});
  CHECK(standin::waiting() == 0);
}

TEST_CASE("runtime.cu: copies and allocations are refused in a recording, and the next recording is whole") {
  const OnDevice<int> y(std::vector<int>{0});
  int host = 0;
  const std::vector<std::function<void()>> refused{
      [&] { gpu::allocate(8); }, [&] { gpu::upload(y.data(), &host, 4); },
      [&] { gpu::download(&host, y.data(), 4); }, [] { gpu::Recording().begin(); }};
  for (const auto& call : refused) {
    {
      gpu::Recording broken;
      broken.begin();
      CHECK_THROWS_AS(call(), Error);
    }
    gpu::Recording recording;
    recording.begin();
    gpu::launch(append_kernel, {1, 32}, y.view(), 3);
    gpu::set_bytes(y.data(), 0, 4);
    gpu::launch(append_kernel, {1, 32}, y.view(), 5);
    recording.end();
    for (int i = 0; i < 2; ++i) recording.replay();
    CHECK(y.values()[0] == 5);
  }
}

TEST_CASE("runtime.cu: in_parallel, plain and recorded, in every order") {
  for (const auto order : {standin::Order::as_asked, standin::Order::latest_first, standin::Order::shuffled}) {
    const Anew anew;
    standin::set_order(order, 5);
    Cuda<float> dev;
    const OnDevice<int> y(std::vector<int>{0});
    const auto digit = [&](int d) { return [&, d] { gpu::launch(append_unseen_kernel, {1, 32}, y.data(), d); }; };
    for (int i = 0; i < 4; ++i) {
      dev.run_step({1}, [&] {
        digit(1)();
        in_parallel(dev, digit(2), digit(3));
        digit(4)();
      });
      const int found = y.values()[0];
      CHECK((found == 1234 || found == 1324));  // 1 before both, and 4 behind both
      if (order != standin::Order::shuffled)
        CHECK((found == 1234) == (order == standin::Order::as_asked ? false : true));
    }
  }
}

TEST_CASE("runtime.cu: branches that write the same memory are refused") {
  const Anew anew;
  Cuda<float> dev;
  const OnDevice<int> y(std::vector<int>{0});
  const auto write = [&] { gpu::launch(append_kernel, {1, 32}, y.view(), 1); };
  CHECK_THROWS_WITH(dev.run_step({1}, [&] { in_parallel(dev, write, write); }),
                    contains("nothing orders two streams"));
}

TEST_CASE("runtime.cu: while a thread records, the work of another one is refused and leaves the recording whole") {
  const OnDevice<int> y(std::vector<int>{0}), other(std::vector<int>{0});
  const auto write = [&](const OnDevice<int>& to, int d) { gpu::launch(append_kernel, {1, 32}, to.view(), d); };
  const auto refused = [&](auto&& f) {
    std::string answer;
    std::thread([&] {
      try {
        f();
      } catch (const Error& error) {
        answer = error.what();
      }
    }).join();
    return answer;
  };
  gpu::Recording recording;
  recording.begin();
  write(y, 1);
  CHECK(refused([&] { write(other, 1); }) == gpu::one_stream);
  CHECK(refused([&] { gpu::in_parallel([&] { write(other, 1); }, [&] { write(other, 2); }); }) == gpu::one_stream);
  CHECK(refused([] { gpu::Recording().begin(); }) == gpu::one_stream);
  gpu::in_parallel([&] { write(y, 2); }, [&] { write(other, 3); });
  CHECK(refused([&] { gpu::in_parallel([&] { write(other, 1); }, [&] { write(other, 2); }); }) == gpu::one_stream);
  recording.end();
  recording.replay();
  CHECK(y.values()[0] == 12);
  CHECK(other.values()[0] == 3);
}
