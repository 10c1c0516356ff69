#pragma once
/// \file
/// The duration of a run and its machine. It is the one file that differs between equal runs, and no other file of
/// a run depends on it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gradus {

/// One call of the program that trained.
struct TimedSession {
  double seconds = 0;             ///< from its first step until the last file that it wrote
  double validation_seconds = 0;  ///< of these
  std::uint32_t steps = 0;
  std::uint64_t source_tokens = 0, target_tokens = 0;  ///< of these steps, end marks included
  std::string processor, blas, device;                 ///< "cpu" or "cuda"
  std::uint32_t threads = 0;
  std::uint64_t peak_memory = 0;  ///< bytes; 0: unknown
};

/// All sessions of a run, in their order. The time of a killed session after its last file is not included.
using RunTiming = std::vector<TimedSession>;

std::string to_json(const RunTiming& timing);

/// The inverse. Throws Error, one line that begins with `origin`, for other text.
RunTiming run_timing(const std::string& json, const std::string& origin);

/// The timing in a file; without sessions if the file is missing or damaged, because a run can continue without it.
RunTiming stored_timing(const std::string& path);

/// Source and target tokens per second over all sessions, without validations; 0 if there was no time.
double tokens_per_second(const RunTiming& timing);

/// Measures the time of a session.
class RunClock {
 public:
  /// The earlier sessions are those in the file; with `anew` there are none.
  RunClock(const std::string& path, std::size_t threads, const std::string& device, bool anew = false);

  const RunTiming& before() const { return before_; }

  void begin() { began_ = Clock::now(); }  ///< the first step begins

  void step(std::size_t source_tokens, std::size_t target_tokens);

  /// Runs `work`, a validation, and returns its result.
  template <class Work>
  auto validation(const Work& work) {
    const auto began = Clock::now();
    auto result = work();
    session_.validation_seconds += seconds_since(began);
    return result;
  }

  /// Writes the file again if this session has taken a step.
  void write();

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

  std::string path_;
  RunTiming before_;
  TimedSession session_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace gradus
