#pragma once
/// \file
/// How far a command is that works through many lines: one line that renews itself on a terminal, a plain one every half
/// minute elsewhere.

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace gradus {

class LineProgress {
 public:
  /// "scored 128 of 1000 lines, 7 s left" is said of `what` = "scored".
  LineProgress(std::string what, std::size_t all) : what_(std::move(what)), all_(all) {}

  /// So many are done. At the end the line is taken away.
  void show(std::size_t lines);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::size_t all_;
  Clock::time_point started_ = Clock::now(), shown_ = started_;
};

}  // namespace gradus
