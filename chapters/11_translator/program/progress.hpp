#pragma once
/// \file
/// What a person sees of a training: one line that renews itself on a terminal, plain lines now and then elsewhere.

#include <chrono>
#include <string>

#include "10_training/trainer.hpp"

namespace gradus {

class Progress {
 public:
  /// Writes to the standard error stream.
  Progress();

  void step(const StepReport& report, std::uint32_t all_steps);
  void line(const std::string& text);  ///< on a line of its own

 private:
  using Clock = std::chrono::steady_clock;

  void clear();

  bool terminal_;
  bool drawn_ = false;
  Clock::time_point started_, shown_;
  std::uint32_t first_step_ = 0;
  double loss_ = 0;         ///< running mean
  std::size_t tokens_ = 0;  ///< target tokens since the start
};

}  // namespace gradus
