#include "chapters/00_foundations/linear_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("linear: an empty batch leaves parameter gradients as they are") {
  const Component judged = component(LinearCase{0, 3, 4, true});
  for (const Runner& r : judged.devices) {
    RunOptions from_two;
    from_two.accumulated_from = 2;
    const Run run = r.run(random_values(judged.description), from_two);
    CHECK(run.gradient.at("w") == std::vector<double>(12, 2.0));
    CHECK(run.gradient.at("b") == std::vector<double>(4, 2.0));
  }
}

TEMPLATE_TEST_CASE("linear: a shape that does not fit is named, before any product", "", Cpu<double>,
                   Reference<double>) {
  TestType dev;
  std::vector<double> memory(64);
  const auto matrix = [&](std::size_t rows, std::size_t columns) {
    return View<double, 2, Host>{memory.data(), {rows, columns}, columns};
  };
  const LinearParams<TestType> p{matrix(3, 4), {}};
  CHECK_THROWS_WITH(linear_forward(dev, matrix(5, 4), matrix(5, 2), p), contains("linear: w"));
  CHECK_THROWS_WITH(linear_forward(dev, matrix(5, 4), matrix(6, 3), p), contains("linear: x"));
  CHECK_THROWS_WITH(linear_backward(dev, matrix(5, 3), p, matrix(5, 2), matrix(5, 3), p), contains("linear: dy"));
}

TEMPLATE_TEST_CASE("linear_backward_add: dx is added to, the parameters' gradients are those of linear_backward",
                   "", Cpu<double>, Reference<double>) {
  using Dev = TestType;
  Dev dev;
  std::vector<std::vector<double>> memory;
  const auto matrix = [&](std::size_t rows, std::size_t columns, double from) {
    std::vector<double>& m = memory.emplace_back(rows * columns);
    for (std::size_t i = 0; i < m.size(); ++i) m[i] = from + 0.25 * static_cast<double>(i % 7);
    return View<double, 2, Host>{m.data(), {rows, columns}, columns};
  };
  const In<Dev, 2> x = matrix(5, 3, 1), dy = matrix(5, 4, -1);
  const LinearParams<Dev> p{matrix(3, 4, 0.5), {}}, once{matrix(3, 4, 2), {}}, again{matrix(3, 4, 2), {}};
  const Out<Dev, 2> alone = matrix(5, 3, 0), added = matrix(5, 3, 10), before = matrix(5, 3, 10);
  linear_backward(dev, alone, once, dy, x, p);
  linear_backward_add(dev, added, again, dy, x, p);
  for (std::size_t n = 0; n < 5; ++n) {
    for (std::size_t d = 0; d < 3; ++d)
      CHECK(added.row(n)[d] == before.row(n)[d] + alone.row(n)[d]);  // the numbers are exact
  }
  for (std::size_t i = 0; i < 12; ++i) CHECK(again.w.data[i] == once.w.data[i]);
  CHECK_THROWS_WITH(linear_backward_add(dev, Out<Dev, 2>{}, again, dy, x, p), contains("linear: dx"));
  CHECK_THROWS_WITH(linear_backward_add(dev, matrix(5, 2, 0), again, dy, x, p), contains("linear: dx"));
}
