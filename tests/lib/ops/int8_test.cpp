#include "gradus/ops/cpu/int8_product_cpu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gradus/ops/cpu/int8_weights.hpp"
#include "gradus/ops/gemm.hpp"
#include "lib/ops/owned.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Floats = Owned<float>;
using Matrix = View<const float, 2, Host>;

/// x w from rounded factors, by the definition: x (n, k), w (k, m).
struct Rounded {
  std::vector<int> numbers;
  std::vector<double> scale;  // of each row
  std::size_t k;

  explicit Rounded(Matrix x) : k(x.extent[1]) {
    for (std::size_t i = 0; i < x.extent[0]; ++i) {
      float most = 0;
      for (std::size_t d = 0; d < k; ++d) most = std::max(most, std::abs(x.row(i)[d]));
      const float unit = most / 127;
      scale.push_back(unit);
      for (std::size_t d = 0; d < k; ++d)
        numbers.push_back(most == 0 ? 0 : static_cast<int>(std::lround(x.row(i)[d] * (1 / unit))));
    }
  }
};

Floats turned(Matrix w) {
  Floats t(w.extent[1], w.extent[0], 3);
  for (std::size_t d = 0; d < w.extent[0]; ++d) {
    for (std::size_t j = 0; j < w.extent[1]; ++j) t.view().row(j)[d] = w.row(d)[j];
  }
  return t;
}

template <class Steps>
Floats product(Matrix x, Matrix w, float scale = 1, bool transposed = false) {
  Floats c(x.extent[0], transposed ? w.extent[0] : w.extent[1], 5);
  Workspace<float, Host> scratch;
  int8_multiply<Steps>(scratch, c.view(), x, Int8Matrix<Steps>(w, transposed), scale, false);
  return c;
}

}  // namespace

TEMPLATE_TEST_CASE("8-bit product: integers and scales by the definition, for sizes beside those of tiles", "",
                   PlainSteps, FastSteps) {
  for (const std::size_t n : {1, 2, 3, 5, 6, 13}) {
    for (const std::size_t k : {1, 3, 4, 7, 64, 129}) {
      for (const std::size_t m : {1, 15, 16, 17, 64, 131}) {
        INFO(n << " x " << k << " x " << m);
        Floats x = Floats::normal(n, k, 2, 1), w = Floats::normal(k, m, 4, 2), by_column = turned(w.view());
        const Rounded left(x.view()), right(by_column.view());
        Floats c = product<TestType>(x.view(), w.view(), 0.5F);
        const Floats same = product<TestType>(x.view(), by_column.view(), 0.5F, true);
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < m; ++j) {
            double sum = 0;
            for (std::size_t d = 0; d < k; ++d) sum += left.numbers[i * k + d] * right.numbers[j * k + d];
            const double expected = 0.5 * sum * left.scale[i] * right.scale[j];
            REQUIRE(std::abs(static_cast<double>(c.view().row(i)[j]) - expected) <= 1e-6 * std::abs(expected));
          }
        }
        REQUIRE(c.memory == same.memory);
        REQUIRE(c.gaps_untouched());
        REQUIRE(x.gaps_untouched());
      }
    }
  }
}

TEST_CASE("8-bit product: the fast steps give the bits of the plain ones, for the largest numbers too") {
  for (const std::size_t k : {6, 128, 1024}) {
    Floats x = Floats::normal(7, k, 2, 1), w = Floats::normal(k, 70, 4, 2);
    CHECK(product<PlainSteps>(x.view(), w.view()).memory == product<FastSteps>(x.view(), w.view()).memory);
    for (float& value : x.memory) value = value < 0 ? -3.0F : 3.0F;
    for (float& value : w.memory) value = -2;
    CHECK(product<PlainSteps>(x.view(), w.view()).memory == product<FastSteps>(x.view(), w.view()).memory);
    for (float& value : x.memory) value = 3;
    const auto sum = static_cast<float>(k);
    CHECK(product<FastSteps>(x.view(), w.view()).view().row(6)[69] == Approx(-6 * sum).epsilon(1e-6));
  }
}

TEST_CASE("8-bit product: the error is within the bound of the lesson") {
  const std::size_t n = 20, k = 128, m = 50;
  Floats x = Floats::normal(n, k, 0, 1), w = Floats::normal(k, m, 0, 2), by_column = turned(w.view());
  const Rounded left(x.view()), right(by_column.view());
  Floats c = product<FastSteps>(x.view(), w.view());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      const double sx = left.scale[i] / 2, sw = right.scale[j] / 2;
      double exact = 0, bound = static_cast<double>(k) * sx * sw + 1e-4;  // and the last roundings, in float
      for (std::size_t d = 0; d < k; ++d) {
        const double a = x.view().row(i)[d], b = w.view().row(d)[j];
        exact += a * b;
        bound += std::abs(a) * sw + std::abs(b) * sx;
      }
      REQUIRE(std::abs(static_cast<double>(c.view().row(i)[j]) - exact) <= bound);
    }
  }
}

TEST_CASE("8-bit product: zeros, tiny numbers, and numbers that are not finite") {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  Floats x = Floats::normal(6, 10, 0, 1), w = Floats::normal(10, 20, 0, 2);
  for (std::size_t d = 0; d < 10; ++d) {
    x.view().row(0)[d] = 0;
    x.view().row(1)[d] = 1e-42F;
    w.view().row(d)[4] = 0;
  }
  x.view().row(2)[9] = infinity;
  x.view().row(3)[0] = nan;
  w.view().row(3)[5] = nan;
  w.view().row(0)[6] = -infinity;
  Floats c = product<FastSteps>(x.view(), w.view());
  for (std::size_t j = 0; j < 20; ++j) {
    const bool broken = j == 5 || j == 6;
    CHECK((broken ? std::isnan(c.view().row(0)[j]) : c.view().row(0)[j] == 0));
    CHECK((broken ? std::isnan(c.view().row(1)[j]) : c.view().row(1)[j] == 0));
    CHECK(std::isnan(c.view().row(2)[j]));
    CHECK(std::isnan(c.view().row(3)[j]));
    CHECK(std::isnan(c.view().row(4)[j]) == broken);
  }
  CHECK(c.view().row(4)[4] == 0);
}

TEST_CASE("8-bit product: a row does not depend on the others, and is added to if asked") {
  Floats x = Floats::normal(13, 40, 2, 1), w = Floats::normal(40, 37, 4, 2);
  Floats all = product<FastSteps>(x.view(), w.view());
  for (std::size_t i = 0; i < 13; ++i) {
    Floats one = product<FastSteps>(rows(x.view(), i, 1), w.view());
    CHECK(std::equal(one.view().row(0), one.view().row(0) + 37, all.view().row(i)));
  }
  Floats sum(13, 37, 1, 0.25);
  Workspace<float, Host> scratch;
  int8_multiply<FastSteps>(scratch, sum.view(), x.view(), Int8Matrix<FastSteps>(w.view(), false), 1, true);
  CHECK(sum.view().row(12)[36] == 0.25F + all.view().row(12)[36]);
  CHECK(scratch.mark().taken == 0);
}

TEST_CASE("8-bit product: wrong shapes and too many inputs are refused") {
  Floats x(2, 3), w(3, 4), c(2, 4), long_column(int8_longest + 1, 1);
  Workspace<float, Host> scratch;
  const Int8Matrix<FastSteps> copy(w.view(), false);
  CHECK_THROWS_AS(int8_multiply<FastSteps>(scratch, c.view(), columns(x.view(), 0, 2), copy, 1, false), Error);
  CHECK_THROWS_AS(int8_multiply<FastSteps>(scratch, columns(c.view(), 0, 3), x.view(), copy, 1, false), Error);
  CHECK_THROWS_AS(Int8Matrix<FastSteps>(long_column.view(), false), Error);
}

TEST_CASE("8-bit weights: a product takes the copy of the same matrix, in the same form") {
  Floats x = Floats::normal(3, 8, 0, 1), w = Floats::normal(8, 8, 0, 2),
         expected = product<FastSteps>(x.view(), w.view());
  Int8Weights copies;
  copies.add(w.view(), false);
  Cpu<float> plain, dev;
  dev.use(&copies);
  Floats table = w, exact(3, 8), c(3, 8);
  const Factor<Cpu<float>> left(x.view());
  gemm(plain, exact.view(), left, Factor<Cpu<float>>(w.view()));
  CHECK(exact.memory != expected.memory);
  const auto multiplied = [&](const Factor<Cpu<float>>& right) {
    gemm(dev, c.view(), left, right);
    return std::vector<float>(c.memory.begin(), c.memory.begin() + 24);
  };
  const auto of = [](const Floats& f) {
    std::vector<float> values;
    for (std::size_t i = 0; i < 3; ++i)
      values.insert(values.end(), &f.memory[i * f.stride], &f.memory[i * f.stride] + 8);
    return values;
  };
  CHECK(multiplied(w.view()) == of(expected));
  CHECK(multiplied(table.view()) == of(exact));  // the same numbers elsewhere
  CHECK(multiplied(transposed(w.view())) != of(expected));
  CHECK(copies.find(w.view(), true) == nullptr);
  CHECK(copies.find(columns(w.view(), 0, 4), false) == nullptr);

  for (float& value : w.memory) value = std::numeric_limits<float>::quiet_NaN();
  CHECK(multiplied(w.view()) == of(expected));
  dev.use(nullptr);
  CHECK(std::isnan(multiplied(w.view()).front()));
}
