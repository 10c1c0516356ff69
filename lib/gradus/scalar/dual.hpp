#pragma once
/// \file
/// Dual numbers: a value and its derivative along one direction. A forward pass on dual numbers gives the exact
/// directional derivative of that pass, without a step size. Include this before any xtensor header: xtensor looks
/// up `select` and `numeric_limits` of its element type when it is first included.

#include <cmath>
#include <limits>

namespace gradus {

struct Dual {
  double value = 0, slope = 0;

  Dual() = default;
  constexpr Dual(double v, double s = 0) : value(v), slope(s) {}
  explicit operator double() const { return value; }

  Dual& operator+=(Dual b) { return *this = {value + b.value, slope + b.slope}; }
  Dual& operator-=(Dual b) { return *this = {value - b.value, slope - b.slope}; }
  Dual& operator*=(Dual b) { return *this = {value * b.value, slope * b.value + value * b.slope}; }
  Dual& operator/=(Dual b) { return *this = {value / b.value, (slope - value / b.value * b.slope) / b.value}; }
};

inline Dual operator+(Dual a, Dual b) { return a += b; }
inline Dual operator-(Dual a, Dual b) { return a -= b; }
inline Dual operator*(Dual a, Dual b) { return a *= b; }
inline Dual operator/(Dual a, Dual b) { return a /= b; }
inline Dual operator-(Dual a) { return {-a.value, -a.slope}; }
inline Dual operator+(Dual a) { return a; }

// Comparisons use the value only: at a kink the slope is that of the branch taken.
inline bool operator<(Dual a, Dual b) { return a.value < b.value; }
inline bool operator>(Dual a, Dual b) { return a.value > b.value; }
inline bool operator<=(Dual a, Dual b) { return a.value <= b.value; }
inline bool operator>=(Dual a, Dual b) { return a.value >= b.value; }
inline bool operator==(Dual a, Dual b) { return a.value == b.value; }
inline bool operator!=(Dual a, Dual b) { return a.value != b.value; }

inline Dual exp(Dual a) {
  const double e = std::exp(a.value);
  return {e, a.slope * e};
}
inline Dual log(Dual a) { return {std::log(a.value), a.slope / a.value}; }
inline Dual sqrt(Dual a) {
  const double r = std::sqrt(a.value);
  return {r, a.slope / (2 * r)};
}
inline Dual erf(Dual a) {
  constexpr double two_over_root_pi = 1.1283791670955126;
  return {std::erf(a.value), a.slope * two_over_root_pi * std::exp(-a.value * a.value)};
}
inline bool isfinite(Dual a) { return std::isfinite(a.value) && std::isfinite(a.slope); }

}  // namespace gradus

namespace std {
template <>
struct numeric_limits<gradus::Dual> : numeric_limits<double> {};
}  // namespace std

namespace xtl {
inline gradus::Dual select(bool condition, const gradus::Dual& a, const gradus::Dual& b) {
  return condition ? a : b;
}
}  // namespace xtl
