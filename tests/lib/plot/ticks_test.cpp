#include "gradus/plot/ticks.hpp"

#include <cstddef>

#include "support/catch.hpp"

using namespace gradus;
using gradus::test::Approx;

namespace {

void check(const std::vector<double>& ticks, const std::vector<double>& expected) {
  REQUIRE(ticks.size() == expected.size());
  for (std::size_t i = 0; i < ticks.size(); ++i) CHECK(ticks[i] == Approx(expected[i]).epsilon(1e-12));
}

}  // namespace

TEST_CASE("ticks: about five of them, 1, 2 or 5 times a power of ten apart, around what they mark") {
  check(round_ticks(0, 55), {0, 20, 40, 60});
  check(round_ticks(0, 55, 6), {0, 10, 20, 30, 40, 50, 60});
  check(round_ticks(-0.3, 0.1), {-0.3, -0.2, -0.1, 0, 0.1});
  check(round_ticks(1e-6, 9e-6), {0, 2e-6, 4e-6, 6e-6, 8e-6, 1e-5});
  check(round_ticks(12'000, 61'000), {10'000, 20'000, 30'000, 40'000, 50'000, 60'000, 70'000});
  check(round_ticks(0, 0), {0, 0.2, 0.4, 0.6, 0.8, 1});
  check(round_ticks(4, 4), {2, 3, 4, 5, 6});
  check(round_ticks(-4, -4), {-6, -5, -4, -3, -2});
}

TEST_CASE("ticks: of a logarithmic axis they are 1, 2 and 5 times powers of ten, or powers where these are many") {
  check(log_ticks(0.3, 7), {0.2, 0.5, 1, 2, 5, 10});
  check(log_ticks(2, 20), {2, 5, 10, 20});
  check(log_ticks(1, 1), {1, 2});
  check(log_ticks(0.002, 300), {0.002, 0.01, 0.1, 1, 10, 100, 500});
}

TEST_CASE("ticks: labels group the digits of whole numbers") {
  CHECK(tick_text(0.05) == "0.05");
  CHECK(tick_text(999) == "999");
  CHECK(tick_text(1000) == "1,000");
  CHECK(tick_text(-1000) == "-1,000");
  CHECK(tick_text(-100'000) == "-100,000");
  CHECK(tick_text(-20'000) == "-20,000");
  CHECK(tick_text(1'234'567) == "1,234,567");
  CHECK(tick_text(1e-5) == "1e-05");
}
