#pragma once
/// \file
/// The progress of a command with many lines: a status line on a terminal; elsewhere an ordinary line every half
/// minute.

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace gradus {

/// "scored 128 of 1000 lines, 7 s left" if `what` = "scored" and the first lines have taken so many seconds.
std::string progress_text(const std::string& what, std::size_t lines, std::size_t all, double seconds);

class LineProgress {
 public:
  /// `what` is that of progress_text.
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
