#include "gradus/kernels/quad.hpp"
#include "lib/gpu/on_device.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Each thread has four columns of every row: y = x + x, and what does not exist must be 0 when it is read.
template <class Real>
__global__ void double_kernel(View<Real, 2, Gpu> y, View<const Real, 2, Gpu> x, View<int, 1, Gpu> wrong) {
  const std::size_t n = x.extent[1], first = 4 * threadIdx.x;
  if (first >= n) return;
  for (std::size_t i = 0; i < x.extent[0]; ++i) {
    gpu::Quad<Real> sum = gpu::load_quad(x.row(i), first, n);
    for (std::size_t k = 0; k < 4; ++k) {
      if (first + k >= n && sum[k] != 0) wrong[0] = 1;
    }
    gpu::add_quad(sum, gpu::load_quad(x.row(i), first, n));
    gpu::store_quad(y.row(i), first, n, sum);
  }
}

/// Matrices (3, columns) that begin `offset` numbers after an aligned address, in rows of `stride` numbers.
template <class Real>
void check_quads(std::size_t columns, std::size_t offset, std::size_t stride) {
  std::vector<Real> numbers(offset + 3 * stride);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<Real>(i + 1);
  const OnDevice<Real> x(numbers), y(numbers);
  const OnDevice<int> wrong(std::vector<int>{0});
  const View<Real, 2, Gpu> from{x.data() + offset, {3, columns}, stride},
      to{y.data() + offset, {3, columns}, stride};
  gpu::launch(double_kernel<Real>, {1, 32}, to, from, wrong.view());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < columns; ++j) numbers[offset + i * stride + j] *= 2;
  }
  INFO(columns << " columns at " << offset << ", rows of " << stride);
  CHECK(y.values() == numbers);  // and the numbers between the rows are as they were
  CHECK(wrong.values()[0] == 0);
}

}  // namespace

TEST_CASE("quads: any number of columns, any address") {
  for (const std::size_t columns : {1, 3, 4, 5, 8, 31, 127, 128}) {
    for (const std::size_t offset : {0, 1, 2, 3, 4}) {
      for (const std::size_t more : {0, 1, 2, 4}) {
        check_quads<float>(columns, offset, columns + more);
        check_quads<double>(columns, offset, columns + more);
      }
    }
  }
}

TEST_CASE("quads: whether all rows of a matrix begin at a multiple of 16 bytes") {
  const OnDevice<float> x(std::vector<float>(64));
  const auto are_aligned = [&](std::size_t offset, std::size_t stride) {
    return gpu::has_aligned_rows<float>({x.data() + offset, {2, 4}, stride});
  };
  CHECK(are_aligned(0, 4));
  CHECK(are_aligned(8, 12));
  for (const std::size_t i : {1, 2, 3, 5}) {
    CHECK(!are_aligned(i, 4));
    CHECK(!are_aligned(0, 4 + i));
  }
  const OnDevice<double> y(std::vector<double>(64));
  CHECK(gpu::has_aligned_rows<double>({y.data() + 2, {2, 4}, 6}));  // four of double are two pieces of 16 bytes
  CHECK(!gpu::has_aligned_rows<double>({y.data() + 1, {2, 4}, 6}));
  CHECK(!gpu::has_aligned_rows<double>({y.data(), {2, 4}, 5}));
}
