#pragma once
/// \file
/// The numbers of a training's status line, from the reports of its steps.

#include <algorithm>
#include <cstdint>

#include "10_training/trainer.hpp"

namespace gradus {

/// Of one session: a run that goes on begins anew here, since it knows only the time of its own steps.
class Pace {
 public:
  void add(const StepReport& report) {
    ++steps_;
    step_ = report.step;
    tokens_ += report.target_tokens;
    loss_ += (report.loss - loss_) / static_cast<double>(std::min<std::uint32_t>(steps_, 50));
  }

  /// The mean of all steps, up to 50; from then on each new one counts a fiftieth.
  double loss() const { return loss_; }

  /// Target tokens of all steps, by the seconds that they took.
  double tokens_per_second(double seconds) const { return static_cast<double>(tokens_) / seconds; }

  /// The time that the steps up to `all_steps` take if they go on so.
  double seconds_left(double seconds, std::uint32_t all_steps) const {
    return seconds / steps_ * (all_steps - step_);
  }

 private:
  std::uint32_t steps_ = 0, step_ = 0;  ///< of this session; of the run
  std::uint64_t tokens_ = 0;
  double loss_ = 0;
};

}  // namespace gradus
