#pragma once
/// \file
/// The progress of a command with many lines: a status line on a terminal; elsewhere an ordinary line every half
/// minute.

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace gradus {

class LineProgress {
 public:
  /// `what` = "scored" gives "scored 128 of 1000 lines, 7 s left".
  LineProgress(std::string what, std::size_t all) : what_(std::move(what)), all_(all) {}

  /// Reports the number of finished lines. At the end the status line is removed.
  void show(std::size_t lines);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::size_t all_;
  Clock::time_point started_ = Clock::now(), shown_ = started_;
};

}  // namespace gradus
