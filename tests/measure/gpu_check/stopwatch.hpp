#pragma once
/// \file
/// Measures a device's time by the wall clock, from the start of many calls until the device has done the last one:
/// a training waits for that, and the code is the same on a GPU and on the host layer. The wait adds some
/// microseconds, which is little compared with the whole.

#include <functional>

#include "gradus/gpu/runtime.hpp"

namespace gradus::test {

/// Seconds for one call: the median and the minimum of all repetitions.
struct Timing {
  double median = 0, least = 0;
};

class Stopwatch {
 public:
  /// Each repetition makes as many calls as fill `seconds`, at least one.
  Stopwatch(int repetitions, double seconds);

  /// `call` does `parts` equal things one after the other; the result is the time of one of them. Three calls come
  /// before the measurement: a recorded step first runs plainly and is then recorded.
  Timing time(const std::function<void()>& call, std::size_t parts = 1) const;

 private:
  double run(const std::function<void()>& call, std::size_t times) const;  // seconds

  int repetitions_;
  double seconds_;
  Workspace<float, Gpu> memory_;
  View<std::int32_t, 1, Gpu> place_;  // (1), read to wait
};

}  // namespace gradus::test
