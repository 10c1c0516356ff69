#include "gradus/plot/ticks.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/plot/markup.hpp"

namespace gradus {

std::vector<double> round_ticks(double lowest, double highest, int wanted) {
  constexpr double least = 1e-300;
  const double size = std::max(std::abs(lowest), std::abs(highest));
  if (!(highest - lowest > std::max(least, 1e-9 * size))) {  // equal except for rounding: no ticks fit in between
    const double margin = size / 2;
    highest += margin > least ? margin : 1;  // if all values are 0, they are counts or scores: the axis begins at 0
    lowest -= margin;
  }
  const double rough = (highest - lowest) / wanted, power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= 0.999 * rough) step = factor * power;
  }
  std::vector<double> ticks;
  const double first = std::floor(lowest / step + 1e-9), last = std::ceil(highest / step - 1e-9);
  // a product: sums would accumulate rounding errors
  for (double k = first; k <= last; ++k) ticks.push_back(k * step);
  return ticks;
}

std::vector<double> log_ticks(double lowest, double highest) {
  std::vector<double> ticks;
  const double last = std::ceil(std::log10(highest) - 1e-9);
  for (double e = std::floor(std::log10(lowest) + 1e-9); e <= last; ++e) {
    for (const double factor : {1.0, 2.0, 5.0}) ticks.push_back(factor * std::pow(10.0, e));
  }
  constexpr double equal = 1 + 1e-9;
  while (ticks.size() > 2 && ticks[1] <= lowest * equal) ticks.erase(ticks.begin());
  while (ticks.size() > 2 && ticks[ticks.size() - 2] * equal >= highest) ticks.pop_back();
  // too many: keep powers of ten between the ends
  for (std::size_t i = ticks.size(); ticks.size() > 7 && i-- > 1;) {
    const double power = std::log10(ticks[i]);
    if (i + 1 < ticks.size() && std::abs(power - std::round(power)) > 1e-9) {
      ticks.erase(ticks.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return ticks;
}

std::string tick_text(double value) {
  if (std::abs(value) < 1e3 || std::abs(value) > 1e15 || value != std::round(value)) return number(value);
  std::string text = fixed(value, 0);
  for (std::size_t at = text.size(); at > (value < 0 ? 4U : 3U);) text.insert(at -= 3, ",");
  return text;
}

}  // namespace gradus
