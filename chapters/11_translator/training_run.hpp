#pragma once
/// \file
/// A whole training, from two text files to a model folder.

#include <cstdint>
#include <functional>
#include <string>

#include "09_transformer/config.hpp"
#include "09_transformer/initialise.hpp"
#include "10_training/plan.hpp"
#include "10_training/trainer.hpp"

namespace gradus {

/// What a person chooses.
struct TrainingRequest {
  std::string train_source, train_target, valid_source, valid_target;  ///< text files, plain or .gz
  std::string output;                                                  ///< folder of the run and of its model
  int vocab_size = 6000;                                               ///< joint subwords of both languages
  ModelConfig model;                                                   ///< vocabularies are filled in
  TrainingPlan plan;
  InitialisationOptions initialisation;

  std::size_t threads = 2;  ///< from here on: how long and on what, never what
  std::uint32_t max_steps = 0;
  double max_minutes = 0;
  std::uint32_t save_every = 500;
};

/// Whom to tell while it runs. All may be absent.
struct TrainingListener {
  std::function<void(const std::string&)> say;  ///< one line for a person
  std::function<void(const StepReport&, std::uint32_t all_steps)> on_step;
  std::function<bool()> interrupted;  ///< a person wants to stop
};

enum class TrainingEnd { finished, already_finished, stopped, interrupted, failed };

/// Trains, or goes on with the run that the output folder holds, and writes the model there whenever a run ends or
/// stops. Throws UsageError if the folder holds a different run, naming what differs.
TrainingEnd train(const TrainingRequest& request, const TrainingListener& listener);

}  // namespace gradus
