#include "chapters/00_foundations/dropout_case.hpp"
#include "gradus/random/dropout_cpu.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("dropout: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(DropoutCase{})));
}

TEST_CASE("dropout: every device agrees with the reference and keeps the contract") {
  for (const auto& [N, D] : {std::pair{1, 1}, {6, 7}, {2, 33}, {1, 1025}, {33, 4}}) {
    const Component judged = component(DropoutCase{std::size_t(N), std::size_t(D)});
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("dropout: golden values") { expect(golden(component(DropoutCase{}), "dropout")); }

TEST_CASE("dropout: keeps the right share of units, scaled so that the mean stays") {
  Cpu<double> dev;
  dev.set({5, 1, 0, 1, 0, 0});
  constexpr std::size_t n = 1000;
  std::vector<double> x(n * n, 1.0), y(n * n);
  const View<double, 2, Host> in{x.data(), {n, n}, n}, out{y.data(), {n, n}, n};
  dropout_forward(dev, out, in, Dropout{0.3, 2, Side::source});
  double kept = 0, sum = 0;
  for (const double v : y) kept += v != 0, sum += v;
  CHECK(kept / (n * n) == Approx(0.7).margin(0.002));  // four standard deviations of a million draws
  CHECK(sum / (n * n) == Approx(1.0).margin(0.003));
}

TEST_CASE("dropout: rate 0 copies, and a rate outside [0, 1) is refused") {
  Cpu<double> dev;
  std::vector<double> x{1, 2, 3, 4}, y(4);
  const View<double, 2, Host> in{x.data(), {2, 2}, 2}, out{y.data(), {2, 2}, 2};
  dropout_forward(dev, out, in, Dropout{0, 2, Side::source});
  CHECK(y == x);
  CHECK_THROWS_AS(dropout_forward(dev, out, in, Dropout{1.0, 2, Side::source}), Error);
  CHECK_THROWS_AS(dropout_forward(dev, out, in, Dropout{-0.1, 2, Side::source}), Error);
}

TEMPLATE_TEST_CASE("dropout: in place it gives what it gives elsewhere", "", Cpu<double>, Reference<double>) {
  TestType dev;
  for (const double rate : {0.0, 0.4}) {
    std::vector<double> x{1, 2, 3, 4, 5, 6}, y(6);
    const View<double, 2, Host> in{x.data(), {2, 3}, 3}, out{y.data(), {2, 3}, 3};
    dropout_forward(dev, out, in, Dropout{rate, 2, Side::source});
    dropout_forward(dev, in, in, Dropout{rate, 2, Side::source});
    CHECK(x == y);
  }
}

TEST_CASE("dropout: a rate is the nearest share of the 2^32 words") {
  static_assert(dropout_threshold(0) == 0);
  static_assert(dropout_threshold(0.5) == 2147483648);
  static_assert(dropout_threshold(0.1) == 429496730);  // 429496729.6
  static_assert(dropout_threshold(0.2) == 858993459);  // 858993459.2
  static_assert(dropout_threshold(0.3) == 1288490189);
  CHECK(dropout_threshold(0.7) == 3006477107);
}

TEST_CASE("dropout: a batch cut into micro-batches drops what the whole batch drops") {
  const StepState whole{9, 4, 0, 1, 0, 0}, second{9, 4, 0, 1, 10, 0};
  const Dropout dropout{0.5, 3, Side::source};
  const DropoutDraw all(dropout, whole), part(dropout, second);
  for (std::size_t n = 0; n < 20; ++n) {
    for (std::size_t d = 0; d < 9; ++d) CHECK(part.factor(n, d) == all.factor(n + 10, d));
  }
}

TEST_CASE("dropout: the fast row of factors is the slow one, heads included") {
  for (const double rate : {0.0, 0.37, 1 - 1e-11}) {  // the threshold of the last one has 33 bits
    const DropoutDraw draw(Dropout{rate, 21, Side::target}, StepState{0x123456789ABCDEF0, 77, 0, 1, 3, 4000000});
    for (const std::size_t n : {1, 4, 31, 32, 33, 63, 64, 65, 130}) {
      std::vector<double> fast(dropout_row_room(n));
      for (const std::size_t row : {0, 1, 513}) {
        dropout_row(fast.data(), n, draw, row, 4, 3);
        for (std::size_t j = 0; j < n; ++j) CHECK(fast[j] == draw.factor(row, j, 4, 3));
      }
    }
  }
}
