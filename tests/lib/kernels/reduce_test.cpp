#include <algorithm>
#include <cmath>
#include <random>

#include "gradus/gpu/host/sanitizers.hpp"
#include "gradus/kernels/column_sums.hpp"
#include "gradus/ops/elementwise.hpp"
#include "lib/gpu/on_device.hpp"
#include "lib/gpu/orders.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

std::vector<double> random_numbers(std::size_t n) {
  std::mt19937 generator(static_cast<unsigned>(n));
  std::normal_distribution<double> normal;
  std::vector<double> numbers(n);
  for (double& x : numbers) x = normal(generator);
  return numbers;
}

/// y (7, threads): sum and maximum of the warp, sum and maximum of the block, the block's sum again (each call uses the
/// shared memory of the previous one), sum and maximum of half a warp, as every thread gets them.
__global__ void reduce_kernel(View<double, 2, Gpu> y, View<const double, 1, Gpu> x) {
  const unsigned i = threadIdx.x;
  y.row(0)[i] = gpu::warp_sum(x[i]);
  y.row(1)[i] = gpu::warp_max(x[i]);
  y.row(2)[i] = gpu::block_sum(x[i]);
  y.row(3)[i] = gpu::block_max(x[i]);
  y.row(4)[i] = gpu::block_sum(2 * x[i]);
  y.row(5)[i] = gpu::warp_sum<16>(x[i]);
  y.row(6)[i] = gpu::warp_max<16>(x[i]);
}

std::vector<double> reduced(const std::vector<double>& x) {
  const OnDevice<double> in(x), out(7 * x.size());
  gpu::launch(reduce_kernel, {1, static_cast<unsigned>(x.size())}, out.matrix(7, x.size()), in.view());
  return out.values();
}

/// A row's number is its term.
struct RowNumber {
  std::array<double, 1> operator()(std::size_t n, std::size_t) const { return {static_cast<double>(n)}; }
};

struct TwoTerms {
  View<const double, 2, Gpu> x;
  std::array<double, 2> operator()(std::size_t n, std::size_t d) const { return {x.row(n)[d], 2 * x.row(n)[d]}; }
};

}  // namespace

TEST_CASE("warp_sum, warp_max, block_sum, block_max: for every size of a block") {
  // A thousand threads are slow under a sanitizer, and take gigabytes.
  const std::size_t step = gpu::host::watches_races ? 224 : 32, most = gpu::host::watches_races ? 256 : 1024;
  for (std::size_t threads = 32; threads <= most; threads += step) {
    const std::vector<double> x = random_numbers(threads), y = reduced(x);
    double sum = 0;
    for (const double v : x) sum += v;
    const double largest = *std::max_element(x.begin(), x.end());
    for (std::size_t i = 0; i < threads; ++i) {
      const auto first = x.begin() + static_cast<std::ptrdiff_t>(i / 32 * 32);
      double of_warp = 0;
      std::for_each(first, first + 32, [&](double v) { of_warp += v; });
      REQUIRE(y[i] == Approx(of_warp).epsilon(1e-12).margin(1e-12));
      REQUIRE(y[threads + i] == *std::max_element(first, first + 32));
      REQUIRE(y[2 * threads + i] == Approx(sum).epsilon(1e-12).margin(1e-12));
      REQUIRE(y[2 * threads + i] == y[2 * threads]);  // one result for all, to the bit
      REQUIRE(y[3 * threads + i] == largest);
      REQUIRE(y[4 * threads + i] == 2 * y[2 * threads]);
      const auto half = x.begin() + static_cast<std::ptrdiff_t>(i / 16 * 16);
      double of_half = 0;
      std::for_each(half, half + 16, [&](double v) { of_half += v; });
      REQUIRE(y[5 * threads + i] == Approx(of_half).epsilon(1e-12).margin(1e-12));
      REQUIRE(y[6 * threads + i] == *std::max_element(half, half + 16));
    }
  }
}

TEST_CASE("block_sum, block_max: the same bits in every order of threads") {
  const std::vector<double> x = random_numbers(256), y = reduced(x);
  in_every_order([&] { CHECK(reduced(x) == y); });
}

TEST_CASE("block_max: all values negative, or one that is infinite") {
  std::vector<double> x(96, -3.0);
  CHECK(reduced(x)[3 * 96] == -3);
  x[70] = INFINITY;
  CHECK(reduced(x)[3 * 96 + 5] == INFINITY);
}

TEST_CASE("add_column_sums: rows in chunks, columns in blocks") {
  for (const std::size_t N : {0, 1, 31, 32, 33, 70}) {
    for (const std::size_t D : {1, 63, 64, 65, 130}) {
      Cuda<double> dev;
      dev.scratch.poisoned = true;
      const std::vector<double> x = random_numbers(N * D);
      const OnDevice<double> in(x), a(std::vector<double>(D, 1.0)), b(std::vector<double>(D, 2.0));
      gpu::add_column_sums<double, 2>(dev, {a.view(), b.view()}, N, TwoTerms{in.matrix(N, D)});
      CHECK(a.values() == std::vector<double>(D, 1.0));
      add_due_sums(dev);
      const std::vector<double> of_a = a.values(), of_b = b.values();
      for (std::size_t d = 0; d < D; ++d) {
        double sum = 0;
        for (std::size_t n = 0; n < N; ++n) sum += x[n * D + d];
        REQUIRE(of_a[d] == Approx(1 + sum).margin(1e-12));
        REQUIRE(of_b[d] == Approx(2 + 2 * sum).margin(1e-12));
      }
    }
  }
}

// A grid can have more blocks than that in x only: two million rows are 65,537 chunks.
TEST_CASE("add_column_sums: more chunks of rows than a grid may count in y") {
  constexpr std::size_t N = 65'536 * gpu::rows_per_chunk + 1;
  Cuda<double> dev;
  const OnDevice<double> sum(std::vector<double>{0});
  gpu::add_column_sums<double, 1>(dev, {sum.view()}, N, RowNumber{});
  add_due_sums(dev);
  CHECK(sum.values().front() == static_cast<double>(N * (N - 1) / 2));  // to the bit: all sums are whole numbers
}

// One launch adds many sums, and blocks of a launch do not wait for each other.
TEST_CASE("add_due_sums: sums of several sizes, more than a launch takes, and two of one vector") {
  constexpr std::size_t N = 50, D = 40, count = 2 * gpu::most_due + 3;
  Cuda<double> dev;
  const std::vector<double> x = random_numbers(N * D);
  const OnDevice<double> in(x), out(std::vector<double>(count * D, 1.0));
  const auto columns_of = [&](std::size_t i) { return 1 + i % D; };
  for (std::size_t i = 0; i < count; ++i) {
    const View<double, 1, Gpu> to = slice(out.view(), i * D, columns_of(i));
    for (std::size_t k = 0; k < (i == 5 ? 3 : 1); ++k) dev.due.push_back({to, rows(in.matrix(N, D), 0, 1 + i % N)});
  }
  add_due_sums(dev);
  CHECK(dev.due.empty());
  const std::vector<double> found = out.values();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < D; ++d) {
      double sum = 0;
      for (std::size_t n = 0; d < columns_of(i) && n < 1 + i % N; ++n) sum += x[n * D + d];
      REQUIRE(found[i * D + d] == Approx(1 + (i == 5 ? 3 : 1) * sum).margin(1e-12));
    }
  }
}
