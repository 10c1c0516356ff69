#include "measure/gpu_check/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gradus::test {

Stopwatch::Stopwatch(int repetitions, double seconds)
    : repetitions_(repetitions), seconds_(seconds), place_(memory_.ints(1)) {
  gpu::set_bytes(place_.data, 0, sizeof(std::int32_t));
}

double Stopwatch::run(const std::function<void()>& call, std::size_t times) const {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < times; ++i) call();
  std::int32_t nothing = 0;
  gpu::download(&nothing, place_.data, sizeof nothing);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Timing Stopwatch::time(const std::function<void()>& call, std::size_t parts) const {
  run(call, 3);
  const double once = run(call, 1);
  const auto times = static_cast<std::size_t>(std::clamp(std::ceil(seconds_ / once), 1.0, 1e5));
  std::vector<double> found;
  for (int i = 0; i < repetitions_; ++i) {
    found.push_back(run(call, times) / static_cast<double>(times) / static_cast<double>(parts));
  }
  std::sort(found.begin(), found.end());
  return {found[found.size() / 2], found.front()};
}

}  // namespace gradus::test
