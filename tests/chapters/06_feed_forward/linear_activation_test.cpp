#include "chapters/06_feed_forward/linear_activation_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
constexpr Dropout none{}, some{0.3, 22, Side::source};
constexpr Activation relu = Activation::relu, gelu = Activation::gelu, swish = Activation::swish;
}  // namespace

TEST_CASE("linear_activation: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(LinearActivationCase{relu})));
  expect(gradients(component(LinearActivationCase{gelu})));
  expect(gradients(component(LinearActivationCase{swish})));
  expect(gradients(component(LinearActivationCase{gelu, 5, 3, 4, none, false})));
}

TEST_CASE("linear_activation: every device agrees with the composition and keeps the contract") {
  for (const LinearActivationCase& c :
       {LinearActivationCase{relu, 6, 4, 7, some, true}, LinearActivationCase{gelu, 6, 4, 7, some, true},
        LinearActivationCase{swish, 6, 4, 7, some, true}, LinearActivationCase{relu, 33, 5, 9, none, true},
        LinearActivationCase{gelu, 3, 2, 33, none, false}, LinearActivationCase{relu, 1, 1, 1, none, true},
        LinearActivationCase{relu, 2, 3, 1025, some, false}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("linear_activation: golden values") {
  expect(golden(component(LinearActivationCase{relu}), "linear_activation_relu"));
  expect(golden(component(LinearActivationCase{gelu}), "linear_activation_gelu"));
  expect(golden(component(LinearActivationCase{swish}), "linear_activation_swish"));
}

TEST_CASE("linear_activation: an empty batch leaves parameter gradients as they are") {
  const Component judged = component(LinearActivationCase{relu, 0, 2, 3, some, true});
  for (const Runner& r : judged.devices) {
    RunOptions from_two;
    from_two.accumulated_from = 2;
    const Run run = r.run(random_values(judged.description), from_two);
    CHECK(run.gradient.at("w") == std::vector<double>(6, 2.0));
    CHECK(run.gradient.at("b") == std::vector<double>(3, 2.0));
  }
}

TEST_CASE("linear_activation: a rate of 1 is refused") {
  const Component judged = component(LinearActivationCase{relu, 2, 2, 2, {1.0, 22, Side::source}, true});
  for (const Runner& r : judged.devices) CHECK_THROWS_AS(r.run(random_values(judged.description), {}), Error);
}

TEMPLATE_TEST_CASE("linear_activation: an absent dx is not computed", "", Reference<double>, Cpu<double>) {
  TestType dev;
  std::vector<double> x{1, -2}, w{0.5, 1, -1, 2}, y(2), dy{1, 1}, dw(4);
  const auto matrix = [](std::vector<double>& v, std::size_t n) { return Out<TestType, 2>{v.data(), {n, 2}, 2}; };
  LinearActivationCache<TestType> cache;
  const LinearParams<TestType> p{matrix(w, 2), {}}, dp{matrix(dw, 2), {}};
  const LinearActivationOptions options{relu, none};
  linear_activation_forward(dev, matrix(y, 1), cache, matrix(x, 1), p, options);
  linear_activation_backward(dev, {}, dp, matrix(dy, 1), matrix(x, 1), cache, p, options);
  CHECK(y == std::vector<double>{2.5, 0});  // z = 2.5, -3
  CHECK(dw == std::vector<double>{1, 0, -2, 0});
}
