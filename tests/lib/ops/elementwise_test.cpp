#include "gradus/ops/elementwise.hpp"

#include "lib/ops/owned.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("fill, copy, add: they write every element of a tensor and no other memory", "",
                   Reference<double>, Cpu<double>, Cpu<float>) {
  using Real = typename TestType::Real;
  TestType dev;
  auto x = Owned<Real>::normal(3, 5, 2, 1);
  Owned<Real> y(3, 5, 4, 1.5);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 5; j < 9; ++j) y.memory[i * 9 + j] = Real(Owned<Real>::gap_value);
  }
  y.memory.back() = Real(Owned<Real>::gap_value);

  copy(dev, y.view(), x.view());
  add(dev, y.view(), x.view());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 5; ++j) CHECK(y.view().row(i)[j] == 2 * x.view().row(i)[j]);
  }
  fill(dev, columns(y.view(), 1, 2), 3);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      CHECK(y.view().row(i)[j] == (j == 1 || j == 2 ? Real(3) : 2 * x.view().row(i)[j]));
    }
  }
  CHECK(y.gaps_untouched());
  CHECK(x.gaps_untouched());
}

TEST_CASE("fill: a part of a vector is filled, and nothing beyond it") {
  Cpu<double> dev;
  std::vector<double> memory(9, 1);
  fill(dev, View<double, 1, Host>{memory.data() + 2, {3}, 3}, 7);
  CHECK(memory == std::vector<double>{1, 1, 7, 7, 7, 1, 1, 1, 1});
}

TEST_CASE("copy, add, write: shapes that do not fit are refused") {
  Cpu<double> dev;
  Owned<double> x(3, 5), y(3, 4);
  CHECK_THROWS_AS(copy(dev, y.view(), x.view()), Error);
  CHECK_THROWS_AS(add(dev, y.view(), x.view()), Error);
  std::vector<double> three(3);
  CHECK_THROWS_AS(write(dev, View<double, 1, Host>{three.data(), {3}, 3}, std::vector<double>(4)), Error);
}

TEST_CASE("read and write: values come back, and nothing is read during a step") {
  Cpu<double> dev;
  const View<double, 1, Host> y = dev.kept.vector(3);
  const View<std::int32_t, 1, Host> ids = dev.kept.ints(2);
  write(dev, y, {1, 2, 3});
  write(dev, ids, std::vector<std::int32_t>{7, -8});
  std::vector<double> values;
  std::vector<std::int32_t> numbers;
  read(dev, values, y);
  read(dev, numbers, ids);
  CHECK(values == std::vector<double>{1, 2, 3});
  CHECK(numbers == std::vector<std::int32_t>{7, -8});

  CHECK_THROWS_WITH(dev.run_step({}, [&] { read(dev, values, y); }), contains("during a step"));
  CHECK_THROWS_WITH(dev.run_step({}, [&] { read(dev, numbers, ids); }), contains("during a step"));
  CHECK_NOTHROW(read(dev, values, y));  // an exception also ends a step
}

TEMPLATE_TEST_CASE("read: the rows of a matrix, without what lies between them", "", Reference<double>,
                   Cpu<float>) {
  using Real = typename TestType::Real;
  TestType dev;
  auto x = Owned<Real>::normal(4, 5, 3, 1);
  std::vector<Real> values(2, 7), expected;
  for (const std::size_t rows_read : {4, 1, 0}) {
    expected.clear();
    for (std::size_t i = 0; i < rows_read; ++i)
      expected.insert(expected.end(), x.view().row(i), x.view().row(i) + 5);
    read(dev, values, rows(x.view(), 0, rows_read));
    CHECK(values == expected);
  }
}
