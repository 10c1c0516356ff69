#include <algorithm>
#include <cmath>
#include <limits>

#include "support/judges.hpp"

namespace gradus::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The larger of two errors; NaN counts as the largest, so that a maximum never hides it.
double worse(double a, double b) { return std::isnan(a) || std::isnan(b) ? nan : std::max(a, b); }

}  // namespace

double relative_error(const std::vector<double>& a, const std::vector<double>& b, double scale) {
  if (a.size() != b.size()) return nan;
  double size = 1e-3 * scale, error = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    size = worse(size, worse(std::abs(a[i]), std::abs(b[i])));
    error = worse(error, std::abs(a[i] - b[i]));
  }
  if (std::isnan(error) || std::isinf(size)) return nan;
  return error == 0 ? 0 : error / size;
}

}  // namespace gradus::test
