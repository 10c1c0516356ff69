#include <array>
#include <cmath>
#include <memory>

#include "gradus/device/cuda.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/gpu/no_gpu.hpp"
#include "gradus/kernels/grid.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/tensor/segments.hpp"
#include "lib/gpu/on_device.hpp"
#include "support/signals.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

const auto nothing = +[] {};
const auto take_pointer = +[](const int*) {};
const auto take_view = +[](View<int, 2, Gpu>) {};
const auto take_segments = +[](BasicSegments<Gpu>) {};
const auto take_views = +[](std::array<View<int, 1, Gpu>, 2>) {};

}  // namespace

TEST_CASE("host layer: sizes that no GPU launches") {
  check_refused("is no whole number of warps", nothing, {1, 33});
  for (const gpu::Grid& grid :
       {gpu::Grid{0, 32}, gpu::Grid{0x80000000U, 32}, gpu::Grid{{1, 0}, 32}, gpu::Grid{{1, 65536}, 32},
        gpu::Grid{{1, 1, 0}, 32}, gpu::Grid{{1, 1, 65536}, 32}, gpu::Grid{1, 0}, gpu::Grid{1, 1056},
        gpu::Grid{1, {2, 32, 32}}, gpu::Grid{1, {1, 1, 96}}, gpu::Grid{1, {65536, 65536, 32}}}) {
    check_refused("no GPU launches a grid of", nothing, grid);
  }
  CHECK_THROWS_WITH(
      gpu::launch(nothing, {{3, 65536}, {8, 4}}),
      "no GPU launches a grid of (3, 65536, 1) blocks of (8, 4, 1) threads: it has 1 to 2147483647 blocks in x, to "
      "65535 in y and in z, and a block 1 to 1024 threads, with at most 64 in z");
  CHECK_NOTHROW(gpu::launch(nothing, {{2, 3, 2}, {1, 2, 64}, 48 << 10}));
  CHECK_NOTHROW(gpu::launch(nothing, {{1, 65535}, 32}));
  CHECK_NOTHROW(gpu::launch(nothing, {{1, 1, 65535}, 32}));
  CHECK_NOTHROW(gpu::launch(nothing, {1, {1, 1024}}));
  CHECK(gpu::refused_grid(dim3(0x7FFFFFFF, 65535, 65535), dim3(1024)).empty());
}

TEST_CASE("host layer: a recording refuses a grid when it is launched, as CUDA does, not when it is replayed") {
  gpu::Recording recording;
  recording.begin();
  CHECK_THROWS_WITH(gpu::launch(nothing, {{1, 65536}, 32}), contains("no GPU launches"));
  CHECK_THROWS_WITH(gpu::launch_early(nothing, {{1, 1, 65536}, 32}), contains("no GPU launches"));
  recording.end();
  check_layer_works();
}

TEST_CASE("grids: blocks beyond CUDA's limit in y go over y and z, and each number is one block's") {
  CHECK_THROWS_WITH(gpu::blocks_for(std::size_t{1} << 38, 64), "no GPU launches 4294967296 blocks");
  CHECK(gpu::blocks_for((std::size_t{1} << 31) - 1, 1) == 0x7FFFFFFF);
  const auto xyz = [](const dim3& d) { return std::array<unsigned, 3>{d.x, d.y, d.z}; };
  CHECK(xyz(gpu::blocks_xy(7, 65535)) == std::array<unsigned, 3>{7, 65535, 1});
  CHECK(xyz(gpu::blocks_xy(7, 65536)) == std::array<unsigned, 3>{7, 65535, 2});
  const auto count = +[](View<int, 1, Gpu> y) {
    if (threadIdx.x == 0 && gpu::block_y() < y.extent[0]) y[gpu::block_y()] += 1;
  };
  const OnDevice<int> y(std::vector<int>(65536 + 5, 0));
  gpu::launch(count, {gpu::blocks_xy(1, 65536 + 5), 32}, y.view());
  CHECK(y.values() == std::vector<int>(65536 + 5, 1));
}

TEST_CASE("host layer: a kernel with more than 48 KiB of shared memory must have been allowed to") {
  const auto last_byte = +[](View<int, 1, Gpu> y, int bytes) {
    if (threadIdx.x != 0) return;
    gpu::dynamic_shared<char>()[bytes - 1] = 7;
    y[0] = gpu::dynamic_shared<char>()[bytes - 1];
  };
  const OnDevice<int> y(std::vector<int>{0});
  const std::size_t plain = 48 << 10, most = gpu::most_shared_bytes();
  CHECK(gpu::plain_shared_bytes == plain);
  CHECK(most == 227 << 10);
  CHECK_NOTHROW(gpu::launch(last_byte, {1, 32, plain}, y.view(), static_cast<int>(plain)));
  check_refused("needs gpu::allow_shared(kernel)", last_byte, {1, 32, plain + 1}, y.view(),
                static_cast<int>(plain + 1));
  gpu::allow_shared(last_byte);
  CHECK_NOTHROW(gpu::launch(last_byte, {1, 32, plain + 1}, y.view(), static_cast<int>(plain + 1)));
  CHECK_NOTHROW(gpu::launch(last_byte, {1, 32, most}, y.view(), static_cast<int>(most)));
  CHECK(y.values()[0] == 7);
  check_refused("no GPU launches a block with", last_byte, {1, 32, most + 1}, y.view(), 1);
  check_refused("needs gpu::allow_shared(kernel)", nothing, {1, 32, plain + 1});  // it belongs to one kernel
}

TEST_CASE("host layer: a kernel's own arrays and its dynamic shared memory share one limit") {
  const auto own = +[] { gpu::shared<struct Own, char, 1024>()[threadIdx.x] = 1; };
  gpu::allow_shared(own);
  const std::size_t most = gpu::most_shared_bytes();
  CHECK_NOTHROW(gpu::launch(own, {1, 32, most - 1024}));
  check_refused("a block uses more shared memory than a GPU has", own, {1, 32, most - 1023});
  const auto other = +[] { gpu::shared<struct Own, char, 1024>()[threadIdx.x] = 2; };
  CHECK_NOTHROW(gpu::launch(other, {1, 32, 47 << 10}));
  check_refused("a block uses more than 48 KiB", other, {1, 32, (47 << 10) + 1});
  gpu::allow_shared(other);
  CHECK_NOTHROW(gpu::launch(other, {1, 32, (47 << 10) + 1}));
}

TEST_CASE("host layer: a kernel's own arrays have 48 KiB at most, whatever it was allowed to have") {
  const auto own = +[] { gpu::shared<struct Large, char, (48 << 10) + 1>()[threadIdx.x] = 1; };
  check_refused("a kernel's own arrays have more than 48 KiB", own, {1, 32});
  gpu::allow_shared(own);
  check_refused("a kernel's own arrays have more than 48 KiB", own, {1, 32});
}

TEST_CASE("host layer: a kernel that launches a kernel") {
  // The error is thrown on a CUDA thread's stack, so it must be caught there.
  const auto kernel = +[](View<int, 1, Gpu> y) {
    if (threadIdx.x != 7) return;
    try {
      gpu::launch(nothing, {1, 32});
    } catch (const Error&) {
      y[0] = 1;
    }
  };
  const OnDevice<int> y(std::vector<int>{0});
  gpu::launch(kernel, {1, 32}, y.view());
  CHECK(y.values()[0] == 1);
}

TEST_CASE("host layer: pointers that do not lead into device memory") {
  int on_host[4] = {};
  const OnDevice<int> y(12);
  check_refused("does not point to device memory", take_pointer, {1, 32}, static_cast<const int*>(on_host));
  check_refused("does not point to device memory", take_view, {1, 32}, View<int, 2, Gpu>{on_host, {2, 2}, 2});
  check_refused("does not point to device memory", take_views, {1, 32},
                std::array<View<int, 1, Gpu>, 2>{y.view(), View<int, 1, Gpu>{on_host, {4}, 4}});
  CHECK_THROWS_WITH(gpu::upload(on_host, on_host, 4), contains("upload: the destination does not point"));
  CHECK_THROWS_WITH(gpu::download(on_host, on_host, 4), contains("download: the source does not point"));
  CHECK_THROWS_WITH(gpu::set_bytes(on_host, 0, 4), contains("set_bytes does not point"));
  CHECK_NOTHROW(gpu::launch(take_pointer, {1, 32}, static_cast<const int*>(y.data() + 11)));
  CHECK_NOTHROW(gpu::launch(take_pointer, {1, 32}, static_cast<const int*>(nullptr)));
  CHECK_NOTHROW(gpu::launch(take_view, {1, 32}, View<int, 2, Gpu>{}));
  const OnDevice<std::int32_t> offsets(std::vector<std::int32_t>{0});
  const std::int32_t host_offsets[1] = {0};
  const View<const std::int32_t, 1, Gpu> right = offsets.view(), wrong{host_offsets, {1}, 1};
  CHECK_NOTHROW(gpu::launch(take_segments, {1, 32}, BasicSegments<Gpu>{right, right}));
  check_refused("does not point to device memory", take_segments, {1, 32}, BasicSegments<Gpu>{wrong, right});
  check_refused("does not point to device memory", take_segments, {1, 32}, BasicSegments<Gpu>{right, wrong});
}

TEST_CASE("no GPU: what CUDA says of a missing driver, an old one, and hidden GPUs") {
  CHECK(gpu::unfit_driver(0, 13000) == "no NVIDIA GPU: this machine has no NVIDIA driver");
  CHECK(gpu::unfit_driver(11080, 12090) ==
        "the NVIDIA driver is too old: it is for CUDA 11.8, and this program for CUDA 12.9");
  CHECK(gpu::no_gpu_counted(nullptr) == "there is no NVIDIA GPU");
  CHECK(gpu::no_gpu_counted("") == "no NVIDIA GPU: CUDA_VISIBLE_DEVICES is \"\", which hides all");
  CHECK(gpu::no_gpu_counted("3") ==
        "no NVIDIA GPU: CUDA_VISIBLE_DEVICES is \"3\", and there is none of that number or name");
}

namespace {
std::unique_ptr<Cuda<float>> until_after_main;  // made before the host layer's own objects, so destroyed after them
}

TEST_CASE("device: a static one gives its memory back after main") {
  until_after_main = std::make_unique<Cuda<float>>();
  const auto v = until_after_main->kept.vector(3);
  write(*until_after_main, v, {1, 2, 3});
  std::vector<float> values;
  read(*until_after_main, values, In<Cuda<float>, 1>(v));
  CHECK(values == std::vector<float>{1, 2, 3});
}

TEST_CASE("host layer: tensors of a poisoned workspace are NaN, and other memory is not") {
  Cuda<float> dev;
  const auto beside = dev.kept.vector(3);
  write(dev, beside, {1, 2, 3});
  dev.kept.poisoned = true;
  const auto taken = dev.kept.vector(300);
  std::vector<float> values;
  read(dev, values, In<Cuda<float>, 1>(taken));
  REQUIRE(values.size() == 300);
  for (const float x : values) CHECK(std::isnan(x));
  read(dev, values, In<Cuda<float>, 1>(beside));
  CHECK(values == std::vector<float>{1, 2, 3});
}

TEST_CASE("host layer: views and copies that reach past the end of their allocation") {
  const OnDevice<int> y(12), neighbour(12);
  std::vector<int> host(13);
  CHECK_NOTHROW(gpu::launch(take_view, {1, 32}, y.matrix(3, 4)));
  CHECK_NOTHROW(
      gpu::launch(take_view, {1, 32}, View<int, 2, Gpu>{y.data(), {3, 2}, 5}));  // no gap after the last row
  check_refused("reaches past the end", take_view, {1, 32}, View<int, 2, Gpu>{y.data(), {3, 3}, 5});
  check_refused("reaches past the end", take_view, {1, 32}, y.matrix(13, 1));
  CHECK_THROWS_WITH(gpu::upload(y.data(), host.data(), 13 * sizeof(int)), contains("reaches past the end"));
  CHECK_THROWS_WITH(gpu::download(host.data(), y.data(), 13 * sizeof(int)), contains("reaches past the end"));
  CHECK_THROWS_WITH(gpu::download(host.data(), y.data() + 12, 4), contains("does not point"));
}

TEST_CASE("host layer: fresh memory is NaN, also where other values had been") {
  for (int time = 0; time < 2; ++time) {
    const OnDevice<double> y(33);
    for (const double x : y.values()) REQUIRE(std::isnan(x));
    const std::vector<double> ones(33, 1.0);
    gpu::upload(y.data(), ones.data(), 33 * sizeof(double));
    REQUIRE(y.values() == ones);
  }
}

TEST_CASE("host layer: upload, download, set_bytes") {
  std::vector<float> host(1000);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  const OnDevice<float> y(host);
  CHECK(y.values() == host);
  gpu::set_bytes(y.data() + 10, 0, 5 * sizeof(float));
  std::fill(host.begin() + 10, host.begin() + 15, 0.0F);
  CHECK(y.values() == host);
  std::vector<float> part(3);
  gpu::download(part.data(), y.data() + 500, 3 * sizeof(float));
  CHECK(part == std::vector<float>{500, 501, 502});
}

TEST_CASE("host layer: host code that reads device memory is a fault") {
  const OnDevice<int> y(std::vector<int>(4, 3));
  const volatile int* const at = y.data();
  volatile int* const into = y.data();
  CHECK(signal_of([] {}) == 0);
  CHECK(signal_of([&] { (void)at[1]; }) == SIGSEGV);
  CHECK(signal_of([&] { into[1] = 4; }) == SIGSEGV);
  gpu::launch(nothing, {1, 32});
  CHECK(signal_of([&] { (void)at[1]; }) == SIGSEGV);  // a launch opens it, and closes it again
  check_refused("leaves itself out", +[] { __syncwarp(0); }, {1, 32});
  CHECK(signal_of([&] { (void)at[1]; }) == SIGSEGV);  // so does a failed one
  gpu::host::protect_device_memory(false);
  CHECK(signal_of([&] { (void)at[1]; }) == 0);
  gpu::host::protect_device_memory(true);
  CHECK(signal_of([&] { (void)at[1]; }) == SIGSEGV);
}

TEST_CASE("host layer: the last piece of memory, given back while it is accessible, is a fault afterwards") {
  const int* at = nullptr;
  {
    const gpu::host::DeviceAccess access;
    const OnDevice<int> y(std::vector<int>(std::size_t{1} << 22, 3));
    at = y.data();
    CHECK(gpu::host::is_device_memory(at));
  }
  CHECK_FALSE(gpu::host::is_device_memory(at));
  const volatile int* const later = at;
  CHECK(signal_of([&] { (void)later[1 << 20]; }) == SIGSEGV);  // on a page of its own
}

TEST_CASE("read: the rows of a matrix in device memory, without what lies between them") {
  Cuda<float> dev;
  const auto whole = dev.kept.matrix(3, 4);
  write(dev, as_vector(whole), std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  std::vector<float> values;
  read(dev, values, columns(whole, 1, 2));
  CHECK(values == std::vector<float>{1, 2, 5, 6, 9, 10});
}
