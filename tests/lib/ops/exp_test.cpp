#include "gradus/ops/cpu/exp_cpu.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"

using namespace gradus;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The largest relative error of fast_exp between `from` and `to`, against the library's exp in long double.
template <class Real>
double largest_error(double from, double to, int points) {
  double worst = 0;
  for (int i = 0; i <= points; ++i) {
    const Real x = static_cast<Real>(from + (to - from) * i / points);
    const long double expected = std::exp(static_cast<long double>(x));
    const double error =
        static_cast<double>(std::abs((static_cast<long double>(fast_exp(x)) - expected) / expected));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

/// Each element of a vector has its own exp.
template <class Real>
void judge_elements() {
  constexpr std::size_t width = vector_width<Real>;
  Real x[width], y[width];
  for (std::size_t i = 0; i < width; ++i) x[i] = Real(2) - static_cast<Real>(i) * Real(1.25);
  store<Real>(y, exp_of_elements<Real>(load(x)));
  for (std::size_t i = 0; i < width; ++i) {
    INFO(i);
    const Real expected = std::exp(x[i]);
    CHECK(std::abs(y[i] - expected) <= 2 * std::numeric_limits<Real>::epsilon() * expected);
  }
  CHECK(exp_of_elements<Real>(Vector<Real>{} + std::numeric_limits<Real>::lowest())[width - 1] == 0);
}

}  // namespace

TEST_CASE("exp: of each element of a vector") {
  judge_elements<float>();
  judge_elements<double>();
}

TEST_CASE("exp: as exact as its comment says, over the whole range") {
  CHECK(largest_error<float>(-87.33, 88.36, 400001) < 1.2e-7);
  CHECK(largest_error<float>(-1, 1, 100001) < 1.2e-7);
  CHECK(largest_error<double>(-708.38, 709.42, 400001) < 2.2e-16);
  CHECK(largest_error<double>(-1, 1, 100001) < 2.2e-16);
}

TEST_CASE("exp: exact where it should be, and never infinite") {
  CHECK(fast_exp(0.0) == 1.0);
  CHECK(fast_exp(0.0F) == 1.0F);
  for (const double x : {-709.0, -1e4, -1e300, -infinity}) CHECK(fast_exp(x) == 0.0);
  for (const float x : {-88.0F, -1e4F, -1e30F, -std::numeric_limits<float>::infinity()}) CHECK(fast_exp(x) == 0.0F);
  for (const double x : {709.44, 1e4, 1e300, infinity}) CHECK(fast_exp(x) == fast_exp(709.43));
  for (const float x : {88.38F, 1e4F, 1e30F, std::numeric_limits<float>::infinity()}) {
    CHECK(fast_exp(x) == fast_exp(88.37F));
  }
  CHECK(std::isfinite(fast_exp(infinity)));
  CHECK(fast_exp(709.43) > 1e308);
  CHECK(fast_exp(88.37F) > 2e38F);
}

TEST_CASE("exp: not a number stays not a number") {
  CHECK(std::isnan(fast_exp(std::numeric_limits<double>::quiet_NaN())));
  CHECK(std::isnan(fast_exp(std::numeric_limits<float>::quiet_NaN())));
}

TEST_CASE("exp: smaller where the argument is smaller, across every change of exponent") {
  // n = round(x / ln 2) jumps at half multiples of ln 2: the two polynomials must agree there.
  for (int n = -120; n < 120; ++n) {
    const double border = (n + 0.5) * std::log(2.0);
    CHECK(fast_exp(border - 1e-9) < fast_exp(border + 1e-9));
    const double step = 1e-6 * (1 + std::abs(border));
    CHECK(fast_exp(static_cast<float>(border - step)) < fast_exp(static_cast<float>(border + step)));
  }
}
