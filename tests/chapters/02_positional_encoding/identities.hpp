#pragma once
/// \file
/// Properties of every table of sinusoids, for all frequencies: each pair lies on the unit circle, and a step of k
/// positions rotates it by the same angle from every start.

#include <algorithm>
#include <cmath>
#include <vector>

#include "02_positional_encoding/sinusoids.hpp"

namespace gradus::test {

/// The table of a device, (P, D).
template <class Dev>
std::vector<double> sinusoid_table(std::size_t P, std::size_t D) {
  Dev dev;
  std::vector<double> table(P * D);
  sinusoids(dev, Out<Dev, 2>{table.data(), {P, D}, D});
  return table;
}

/// Largest |sin^2 + cos^2 - 1| of any pair.
inline double circle_error(const std::vector<double>& table) {
  double error = 0;
  for (std::size_t k = 0; k < table.size(); k += 2) {
    error = std::max(error, std::abs(table[k] * table[k] + table[k + 1] * table[k + 1] - 1));
  }
  return error;
}

/// Largest |PE(p + k) - R(k) PE(p)| where R(k) rotates pair i by the angle whose sine and cosine are PE(k)'s.
inline double rotation_error(const std::vector<double>& table, std::size_t D, std::size_t k) {
  double error = 0;
  const double* const step = table.data() + k * D;
  for (std::size_t p = 0; (p + k) * D < table.size(); ++p) {
    const double *const from = table.data() + p * D, *const to = from + k * D;
    for (std::size_t d = 0; d < D; d += 2) {
      const double sine = from[d] * step[d + 1] + from[d + 1] * step[d];
      const double cosine = from[d + 1] * step[d + 1] - from[d] * step[d];
      error = std::max({error, std::abs(to[d] - sine), std::abs(to[d + 1] - cosine)});
    }
  }
  return error;
}

}  // namespace gradus::test
