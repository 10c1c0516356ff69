#pragma once
/// \file
/// How long a device takes. By the wall clock, from before many calls are asked for until the device has done the last:
/// that is what a training waits for, and the same code on a GPU and on the host layer. What a wait adds, some
/// microseconds, is small beside the whole.

#include <functional>

#include "gradus/gpu/runtime.hpp"

namespace gradus::test {

/// Seconds for one call: of all repetitions the middle one, and the fastest.
struct Timing {
  double median = 0, least = 0;
};

class Stopwatch {
 public:
  /// Each repetition is as many calls as fill `seconds`, at least one.
  Stopwatch(int repetitions, double seconds);

  /// `call` does `parts` like things one after the other; the time is that of one of them. It is called three times
  /// before: a recorded step runs plainly first, and is recorded then.
  Timing time(const std::function<void()>& call, std::size_t parts = 1) const;

 private:
  double run(const std::function<void()>& call, std::size_t times) const;  // seconds

  int repetitions_;
  double seconds_;
  Workspace<float, Gpu> memory_;
  View<std::int32_t, 1, Gpu> place_;  // (1), read to wait
};

}  // namespace gradus::test
