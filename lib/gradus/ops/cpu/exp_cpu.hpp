#pragma once
/// \file
/// exp for loops that vectorise. The library's exp is called for each element and would take half of the loss's
/// time. exp(x) = 2^n exp(r) with n = round(x / ln 2), so |r| <= ln(2) / 2. There a short Taylor polynomial is
/// exact to rounding: relative error below 1.2e-7 (float) and 2.2e-16 (double), tested in tests/lib/ops.

#include <cstdint>
#include <cstring>

#include "gradus/ops/cpu/vector_cpu.hpp"

namespace gradus {

/// p r^k + ... with k further coefficients, the last of which stands alone (Horner's scheme).
template <class Real, class... Coefficients>
Real polynomial(Real r, Real p, Coefficients... further) {
  ((p = p * r + further), ...);
  return p;
}

/// exp(x) for -87.33 < x < 88.37 (float) or -708.39 < x < 709.43 (double). Below, where the result would be
/// subnormal, it is 0; above, it is exp of the upper bound, so never infinite.
inline float fast_exp(float x) {
  constexpr float low = -87.3365F, high = 88.37F;
  const float clamped = x < low ? low : (x > high ? high : x);
  const float shifted = clamped * 1.44269504F + 12582912.0F;  // 1.5 x 2^23: its low bits are the rounded integer
  const float n = shifted - 12582912.0F;
  const float r = (clamped - n * 0.693145752F) - n * 1.42860677e-6F;
  const float p = polynomial(r, 1.0F / 5040, 1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F);
  std::uint32_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 127U) << 23;  // the integer's low bits become the exponent of 2^n
  float scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return x < low ? 0.0F : p * scale;
}

inline double fast_exp(double x) {
  constexpr double low = -708.39, high = 709.43;
  const double clamped = x < low ? low : (x > high ? high : x);
  const double shifted = clamped * 1.4426950408889634 + 6755399441055744.0;  // 1.5 x 2^52
  const double n = shifted - 6755399441055744.0;
  const double r = (clamped - n * 0.69314718036912382) - n * 1.9082149292705877e-10;
  const double p = polynomial(r, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                              1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0);
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023U) << 52;
  double scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return x < low ? 0.0 : p * scale;
}

/// fast_exp of each element. The loop of a fixed length becomes instructions on the whole register.
template <class Real>
Vector<Real> exp_of_elements(Vector<Real> v) {
  Real e[vector_width<Real>];
  store<Real>(e, v);
#pragma omp simd
  for (std::size_t i = 0; i < vector_width<Real>; ++i) e[i] = fast_exp(e[i]);
  return load(e);
}

}  // namespace gradus
