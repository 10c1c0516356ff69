#pragma once
/// \file
/// Half precision (IEEE 754 binary16) as a storage format: one sign bit, five bits of exponent, ten of fraction. It
/// is used for storage only, not for arithmetic.

#include <algorithm>
#include <cmath>
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
  const int sign = std::signbit(x) ? 0x8000 : 0;
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  if (std::isnan(x)) return static_cast<std::uint16_t>(sign | 0x7e00 | (bits >> 42 & 0x3ff));  // quiet
  // Halves of one exponent have equal distances, and so have all those below 2^-14. The bits of a half, read as an
  // integer, grow by one from each half to the next, also from one exponent to the next and from the largest to infinity.
  const int exponent = std::clamp(std::ilogb(x), -14, 16);  // ilogb(0) is far below, ilogb(infinity) far above
  const double steps = std::nearbyint(std::ldexp(std::abs(x), 10 - exponent));
  return static_cast<std::uint16_t>(sign | static_cast<int>(std::min(1024 * (exponent + 14) + steps, 0x7c00p0)));
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
