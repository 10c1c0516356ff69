#include "gradus/io/half.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"

using gradus::Half;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The value of a finite half by the definition of the format, with powers of two only.
double by_definition(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const int fraction = static_cast<int>(bits & 1023);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 15 - 10);
  return bits >> 15 ? -magnitude : magnitude;
}

/// Every finite half that is not negative, ascending, and 2^16 in the place of infinity: rounding treats infinity
/// as the next half.
std::vector<double> ladder() {
  std::vector<double> values;
  for (unsigned bits = 0; bits <= 0x7c00; ++bits) values.push_back(by_definition(bits));
  return values;
}

unsigned rounded(double x) { return Half(x).bits(); }

}  // namespace

TEST_CASE("each of the 65,536 halves has its defined value, and converting to float and back keeps it") {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = Half::from_bits(static_cast<std::uint16_t>(bits));
    const float value = half;
    INFO("bits " << bits);
    if ((bits & 0x7fff) > 0x7c00) {
      REQUIRE(std::isnan(value));
      REQUIRE(std::signbit(value) == (bits >> 15 != 0));
      REQUIRE(rounded(value) == (bits | 0x200));  // a signalling NaN becomes quiet
      continue;
    }
    const double expected = (bits & 0x7fff) == 0x7c00 ? (bits >> 15 ? -infinity : infinity) : by_definition(bits);
    REQUIRE(static_cast<double>(value) == expected);
    REQUIRE(std::signbit(value) == (bits >> 15 != 0));  // -0 too
    REQUIRE(rounded(value) == bits);
  }
}

TEST_CASE("a value between two halves rounds to the nearer one, a tie to the even last bit") {
  const std::vector<double> halves = ladder();
  for (unsigned low = 0; low + 1 < halves.size(); ++low) {
    const double tie = (halves[low] + halves[low + 1]) / 2;  // exact in double
    const unsigned even = low % 2 == 0 ? low : low + 1;
    INFO("above half " << low);
    REQUIRE(rounded(tie) == even);
    REQUIRE(rounded(std::nextafter(tie, 0.0)) == low);
    REQUIRE(rounded(std::nextafter(tie, infinity)) == low + 1);
    REQUIRE(rounded(-tie) == (even | 0x8000));
  }
}

TEST_CASE("a double is rounded to a half in one step, without a step over float") {
  // Just above the tie between 1 and 1 + 2^-10: rounded to float first, it would be the tie itself, and then become
  // 1.
  const double above_tie = 1 + 0x1p-11 + 0x1p-40;
  REQUIRE(rounded(above_tie) == 0x3c01);
  REQUIRE(rounded(static_cast<float>(above_tie)) == 0x3c00);
}

TEST_CASE("values outside the range of halves become infinity or zero") {
  REQUIRE(rounded(65519.999) == 0x7bff);
  REQUIRE(rounded(65520.0) == 0x7c00);
  REQUIRE(rounded(-1e300) == 0xfc00);
  REQUIRE(rounded(infinity) == 0x7c00);
  REQUIRE(rounded(0x1p-25) == 0);
  REQUIRE(rounded(-0x1p-26) == 0x8000);
  REQUIRE(rounded(std::numeric_limits<double>::denorm_min()) == 0);
  REQUIRE((rounded(std::numeric_limits<double>::quiet_NaN()) & 0x7fff) == 0x7e00);
}
