#include <algorithm>
#include <cmath>

#include "chapters/06_feed_forward/activation_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

template <class Dev>
std::vector<double> slopes(std::vector<double> x, Activation activation) {
  Dev dev;
  std::vector<double> ones(x.size(), 1.0), dx(x.size());
  const auto view = [](std::vector<double>& v) { return Out<Dev, 2>{v.data(), {1, v.size()}, v.size()}; };
  activation_backward(dev, view(dx), view(ones), view(x), activation);
  return dx;
}

/// The largest errors of values, relative to the larger of 1 and |x|, and of slopes, from -20 to 20.
template <class Value, class Slope>
std::pair<double, double> single_precision_errors(Activation activation, Value exact, Slope exact_slope) {
  constexpr std::size_t n = 4001;
  std::vector<float> x(n), ones(n, 1.0F), y(n), slope(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = (static_cast<float>(i) - 2000) / 100;
  const auto view = [](std::vector<float>& v) { return Out<Cpu<float>, 2>{v.data(), {1, v.size()}, v.size()}; };
  Cpu<float> dev;
  activation_forward(dev, view(y), view(x), activation);
  activation_backward(dev, view(slope), view(ones), view(x), activation);
  double worst = 0, worst_slope = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double v = x[i];
    worst = std::max(worst, std::abs(y[i] - exact(v)) / std::max(1.0, std::abs(v)));
    worst_slope = std::max(worst_slope, std::abs(slope[i] - exact_slope(v)));
  }
  return {worst, worst_slope};
}

}  // namespace

TEST_CASE("activation: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(ActivationCase{Activation::relu})));
  expect(gradients(component(ActivationCase{Activation::gelu})));
  expect(gradients(component(ActivationCase{Activation::swish})));
}

TEST_CASE("activation: every device agrees with the reference and keeps the contract") {
  for (const Activation activation : {Activation::relu, Activation::gelu, Activation::swish}) {
    for (const auto& [N, F] : {std::pair{5, 7}, {1, 1}, {33, 4}, {2, 33}, {3, 1025}}) {
      const Component judged = component(ActivationCase{activation, std::size_t(N), std::size_t(F)});
      for (const Runner& r : judged.devices) {
        expect(parity(judged, r));
        expect(contract(judged, r));
      }
    }
  }
}

TEST_CASE("activation: golden values") {
  expect(golden(component(ActivationCase{Activation::relu}), "activation_relu"));
  expect(golden(component(ActivationCase{Activation::gelu}), "activation_gelu"));
  expect(golden(component(ActivationCase{Activation::swish}), "activation_swish"));
}

TEST_CASE("activation: golden values of tiny and of huge numbers") {
  expect(golden(component(ActivationCase{Activation::relu, 3, 6}), "activation_relu_extreme"));
  for (const std::string which : {"small", "middle", "large"}) {
    expect(golden(component(ActivationCase{Activation::gelu, 1, 6}), "activation_gelu_" + which));
    expect(golden(component(ActivationCase{Activation::swish, 1, 6}), "activation_swish_" + which));
  }
}

TEMPLATE_TEST_CASE("activation: the slope of relu at its kink is 0, those of gelu and swish are a half", "",
                   Reference<double>, Cpu<double>) {
  CHECK(slopes<TestType>({0.0, -0.0, 1e-300, -1e-300}, Activation::relu) == std::vector<double>{0, 0, 1, 0});
  CHECK(slopes<TestType>({0.0, -0.0}, Activation::gelu) == std::vector<double>{0.5, 0.5});
  CHECK(slopes<TestType>({0.0, -0.0}, Activation::swish) == std::vector<double>{0.5, 0.5});
}

TEST_CASE("activation: gelu in single precision is within 4e-7 of the larger of 1 and |x|, everywhere") {
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const auto density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * 3.14159265358979324); };
  const auto [value, slope] = single_precision_errors(
      Activation::gelu, [&](double x) { return x * below(x); },
      [&](double x) { return below(x) + x * density(x); });
  CHECK(value < 4e-7);
  CHECK(slope < 1e-6);
}

TEST_CASE("activation: swish in single precision is within 4e-7 of the larger of 1 and |x|, everywhere") {
  const auto sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
  const auto [value, slope] = single_precision_errors(
      Activation::swish, [&](double x) { return x * sigma(x); },
      [&](double x) { return sigma(x) + x * sigma(x) * sigma(-x); });
  CHECK(value < 4e-7);
  CHECK(slope < 1e-6);
}

TEST_CASE("activation: an empty batch is legal") {
  for (const Activation activation : {Activation::relu, Activation::gelu, Activation::swish}) {
    const Component judged = component(ActivationCase{activation, 0, 3});
    for (const Runner& r : judged.devices) CHECK_NOTHROW(r.run(random_values(judged.description), {}));
  }
}
