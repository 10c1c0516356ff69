#include "gradus/scalar/dual.hpp"

#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

void check(Dual found, double value, double slope) {
  CHECK(found.value == Approx(value).epsilon(1e-15));
  CHECK(found.slope == Approx(slope).epsilon(1e-14));
}

}  // namespace

TEST_CASE("dual numbers: arithmetic follows the rules of differentiation") {
  for (const double x : {0.3, 1.0, 2.5}) {
    for (const double y : {-0.7, 1.0, 4.0}) {
      const Dual a{x, 2}, b{y, -3};
      check(a + b, x + y, -1);
      check(a - b, x - y, 5);
      check(a * b, x * y, 2 * y - 3 * x);
      check(a / b, x / y, (2 * y + 3 * x) / (y * y));
      check(-a, -x, -2);
      check(+a, x, 2);
      check(2.0 * a + 1.0, 2 * x + 1, 4);  // plain numbers are constants
    }
  }
}

TEST_CASE("dual numbers: functions carry their derivatives") {
  const double two_over_root_pi = 2 / std::sqrt(std::acos(-1.0));
  for (const double x : {0.1, 0.5, 1.0, 3.0}) {
    const Dual a{x, 0.5};
    check(exp(a), std::exp(x), 0.5 * std::exp(x));
    check(log(a), std::log(x), 0.5 / x);
    check(sqrt(a), std::sqrt(x), 0.25 / std::sqrt(x));
    check(erf(a), std::erf(x), 0.5 * two_over_root_pi * std::exp(-x * x));
    check(exp(a) * log(a) / sqrt(a), std::exp(x) * std::log(x) / std::sqrt(x),
          0.5 * std::exp(x) / std::sqrt(x) * (std::log(x) + 1 / x - std::log(x) / (2 * x)));
  }
}

TEST_CASE("dual numbers: comparisons look at the value alone") {
  CHECK(Dual{1, 9} < Dual{2, -9});
  CHECK(Dual{1, 9} == Dual{1, -9});
  CHECK_FALSE(Dual{1, 9} != Dual{1, -9});
  CHECK(Dual{2, 0} >= Dual{2, 1});
  CHECK(xtl::select(false, Dual{1, 2}, Dual{3, 4}).slope == 4);
}

TEST_CASE("dual numbers: a slope that is not finite is found") {
  CHECK(isfinite(Dual{1, 2}));
  CHECK_FALSE(isfinite(sqrt(Dual{0, 1})));  // the root has no slope at 0
  CHECK_FALSE(isfinite(log(Dual{0, 0})));
}
