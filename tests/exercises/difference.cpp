#include "exercises/difference.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::test {

Difference difference(const std::vector<double>& expected, const std::vector<double>& got, double floor,
                      double bound) {
  double size = floor;
  for (const double x : expected) size = std::isfinite(x) ? std::max(size, std::abs(x)) : size;
  Difference d;
  for (std::size_t i = expected.size(); i-- > 0;) {
    d.is_unwritten = d.is_unwritten && std::isnan(got[i]);
    d.is_zero = d.is_zero && got[i] == 0;
    const bool is_right =
        std::isnan(expected[i]) ? std::isnan(got[i]) : std::abs(got[i] - expected[i]) <= bound * size;
    if (!is_right) d.first = i, ++d.wrong;
  }
  return d;
}

double common_factor(const std::vector<double>& expected, const std::vector<double>& got) {
  double size = 0;
  for (const double x : expected) size = std::max(size, std::abs(x));
  double factor = NAN;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(factor) && std::abs(expected[i]) > 1e-3 * size) factor = got[i] / expected[i];
    if (!std::isfinite(got[i])) return NAN;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(std::abs(got[i] - factor * expected[i]) <= 1e-9 * size)) return NAN;
  }
  return expected.size() > 1 && factor != 0 ? factor : NAN;
}

std::vector<std::size_t> place(std::size_t i, const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; i /= shape[axis]) index[axis] = i % shape[axis];
  return index;
}

}  // namespace gradus::test
