#pragma once
/// \file
/// The progress of a training: a status line on a terminal; elsewhere an ordinary line now and then.

#include <chrono>
#include <string>
#include <vector>

#include "11_translator/training/training_run.hpp"
#include "app/terminal/pace.hpp"
#include "app/terminal/status_line.hpp"

namespace gradus {

/// Writes to the console.
class Progress {
 public:
  void begin();  ///< the training begins: what is shown counts from here
  void step(const StepReport& report, std::uint32_t all_steps);
  void validation(const ValidationRecord& record, bool is_best);
  void line(const std::string& text);  ///< an ordinary line
  void clear();                        ///< removes the status line

 private:
  using Clock = std::chrono::steady_clock;

  /// `share` of the training is finished.
  static void draw(const std::vector<StatusField>& fields, double share);

  Clock::time_point started_ = Clock::now(), shown_ = started_;
  Pace pace_;
};

}  // namespace gradus
