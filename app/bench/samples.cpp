#include "app/bench/samples.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>

namespace gradus {

Spread spread(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back()};
}

Spread Samples::rate(double amount) const {
  std::vector<double> rates;
  for (const double s : seconds) rates.push_back(amount / s);
  return spread(rates);
}

double Samples::total() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

double Samples::processor_total() const {
  return std::accumulate(processor_seconds.begin(), processor_seconds.end(), 0.0);
}

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace gradus
