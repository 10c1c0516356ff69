#pragma once
/// \file
/// A whole training, from two text files to a model folder.

#include <functional>
#include <string>

#include "10_training/trainer.hpp"
#include "11_translator/training/record/training_history.hpp"
#include "11_translator/training/training_request.hpp"

namespace gradus {

/// Whom to tell while it runs. All may be absent.
struct TrainingListener {
  std::function<void(const std::string&)> say;   ///< one line for a person
  std::function<void(const std::string&)> warn;  ///< the same, of something amiss
  std::function<void(const StepReport&, std::uint32_t all_steps)> on_step;
  std::function<void(const ValidationRecord&, bool is_best)> on_validation;
  std::function<bool()> interrupted;  ///< a person wants to stop
};

enum class TrainingEnd { finished, already_finished, stopped, interrupted };

/// Trains, or goes on with the run that the output folder holds, and writes the model there whenever a run ends or
/// stops. Throws UsageError if the folder holds a different run, naming what differs, or somebody else's files under
/// the names that a run needs; Error, with the last checkpoint kept, if a gradient is not finite or the disk is full.
TrainingEnd train(const TrainingRequest& request, const TrainingListener& listener);

}  // namespace gradus
