#pragma once
/// \file
/// Half precision (IEEE 754 binary16) as a storage format: one sign bit, five bits of exponent, ten of fraction. It
/// is used for storage only, not for arithmetic.

#include <cstdint>
#include <cstring>

namespace gradus {

/// A number as a file stores it. Converting to float is exact. Converting to Half rounds to the nearest half, ties
/// to the one whose last bit is 0, in one step: a step over float would round some doubles twice.
class Half {
 public:
  Half() = default;
  explicit Half(double x) : bits_(nearest(x)) {}
  operator float() const { return exact(bits_); }  // implicit, as float to double is

  static Half from_bits(std::uint16_t bits) {
    Half half;
    half.bits_ = bits;
    return half;
  }
  std::uint16_t bits() const { return bits_; }

 private:
  static std::uint16_t nearest(double x);
  static float exact(std::uint16_t bits);

  std::uint16_t bits_ = 0;
};

inline std::uint16_t Half::nearest(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  const unsigned sign = static_cast<unsigned>(bits >> 63) << 15;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const std::uint64_t fraction = bits & ((1ull << 52) - 1);

  unsigned magnitude = 0;  // stays 0 below 2^-25, half of the smallest half
  if (exponent == 1024 && fraction != 0) {
    magnitude = 0x7e00 | static_cast<unsigned>(fraction >> 42);  // NaN, quiet
  } else if (exponent >= 16) {
    magnitude = 0x7c00;  // infinity
  } else if (exponent >= -25) {
    // Exponent and fraction together form one integer that grows with |x|. Rounding it up carries from the fraction
    // into the exponent, also from the largest half to infinity. Below 2^-14 the exponent field is 0, and the
    // leading 1 must be written as a bit.
    const bool subnormal = exponent < -14;
    const std::uint64_t whole = (subnormal ? 1ull : static_cast<std::uint64_t>(exponent + 15)) << 52 | fraction;
    const int dropped = subnormal ? 42 - 14 - exponent : 42;  // bits that do not fit
    const std::uint64_t rest = whole & ((1ull << dropped) - 1);
    const std::uint64_t tie = 1ull << (dropped - 1);
    magnitude = static_cast<unsigned>(whole >> dropped);
    if (rest > tie || (rest == tie && magnitude % 2 == 1)) ++magnitude;
  }
  return static_cast<std::uint16_t>(sign | magnitude);
}

inline float Half::exact(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 15) << 31;
  const std::uint32_t exponent = bits >> 10 & 0x1f;
  const std::uint32_t fraction = bits & 0x3ff;
  if (exponent == 0) {  // zero and subnormal numbers: fraction x 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent - 15 + 127;
  const std::uint32_t word = sign | wide << 23 | fraction << 13;
  float x;
  std::memcpy(&x, &word, sizeof x);
  return x;
}

}  // namespace gradus
