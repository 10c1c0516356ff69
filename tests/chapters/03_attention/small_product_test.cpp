#include "03_attention/cpu/small_product_cpu.hpp"

#include <array>
#include <vector>

#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Small whole numbers, so that every sum is exact.
template <class Real>
std::vector<Real> whole_numbers(std::size_t n, std::size_t seed) {
  std::vector<Real> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<Real>((i * i + seed * i + seed) % 13) - 6;
  return values;
}

}  // namespace

TEMPLATE_TEST_CASE("small product: rows are padded to whole registers and no further", "", float, double) {
  constexpr std::size_t width = vector_width<TestType>;
  CHECK(width * sizeof(TestType) == register_bytes);
  CHECK(whole_registers<TestType>(0) == 0);
  CHECK(whole_registers<TestType>(1) == width);
  CHECK(whole_registers<TestType>(width) == width);
  CHECK(whole_registers<TestType>(width + 1) == 2 * width);
}

TEMPLATE_TEST_CASE("small product: the sum over k, scaled, of either factor's rows, and nothing else is written",
                   "", float, double) {
  constexpr std::size_t gap = 3;
  for (const auto& [rows, columns, K] : {std::array<std::size_t, 3>{1, 1, 1},
                                         {5, 7, 3},
                                         {8, 16, 4},
                                         {9, 33, 2},
                                         {13, 40, 17},
                                         {13, 16, 3},
                                         {14, 32, 3},
                                         {25, 48, 2},
                                         {31, 39, 1},
                                         {4, 8, 0},
                                         {3, 70, 5}}) {
    const auto a = whole_numbers<TestType>((rows + gap) * (K + gap) + 1, 3);
    const auto b = whole_numbers<TestType>(K * (columns + gap) + 1, 5);
    for (const bool transposed : {false, true}) {
      const std::size_t stride = (transposed ? rows : K) + gap;
      std::vector<TestType> c(rows * (columns + gap), 77);
      const auto multiply = [&, n = rows, width = columns, terms = K](const auto& left) {
        small_product(c.data(), width + gap, left, b.data(), width + gap, {n, width, terms}, TestType(2));
      };
      transposed ? multiply(by_columns(a.data(), stride)) : multiply(by_rows(a.data(), stride));
      std::vector<TestType> expected(c.size(), 77);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t j = 0; j < columns; ++j) {
          TestType sum = 0;
          for (std::size_t k = 0; k < K; ++k) {
            sum += (transposed ? a[k * stride + r] : a[r * stride + k]) * b[k * (columns + gap) + j];
          }
          expected[r * (columns + gap) + j] = 2 * sum;
        }
      }
      INFO(rows << " x " << columns << ", sums of " << K << (transposed ? ", transposed" : ""));
      CHECK(c == expected);
    }
  }
}
