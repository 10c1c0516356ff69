#pragma once
/// \file
/// A whole training, from two text files to a model folder.

#include <functional>
#include <string>

#include "10_training/trainer.hpp"
#include "11_translator/training/record/stored_run.hpp"
#include "11_translator/training/record/training_history.hpp"
#include "11_translator/training/training_request.hpp"

namespace gradus {

/// The functions that receive progress. Each does nothing until it is set.
struct TrainingListener {
  std::function<void(const std::string&)> say = [](const std::string&) {};   ///< one line for the user
  std::function<void(const std::string&)> warn = [](const std::string&) {};  ///< the same for a warning
  /// The first step of this session begins: the text is read, and the weights are there. Its time counts from here.
  std::function<void()> on_begin = [] {};
  std::function<void(const StepReport&, std::uint32_t all_steps)> on_step = [](const auto&, auto) {};
  std::function<void(const ValidationRecord&, bool is_best)> on_validation = [](const auto&, bool) {};
  /// The folder of the run is complete, but for what the caller adds to it, such as a report.
  std::function<void(const StoredRun&, DeviceChoice)> on_finished = [](const auto&, auto) {};
  std::function<bool()> interrupted = [] { return false; };  ///< returns true when the user wants to stop
  std::function<bool()> save_asked = [] { return false; };   ///< returns true once for each wish to save and go on
  /// The texts are read. Before, there is nothing to save, so the user's signals may end the program.
  std::function<void()> on_texts_read = [] {};
};

enum class TrainingEnd { finished, already_finished, stopped, interrupted };

/// Trains, or continues the run in the output folder, and writes the model there whenever a run ends or stops.
/// Throws UsageError if the folder holds a different run, naming the differences, or foreign files with the names
/// that a run needs. Throws Error, and keeps the last checkpoint, if a gradient is not finite or the disk is full.
/// All ranks call it with the same request; rank 0 alone reads and writes the folder, and of the others' listeners
/// only the last three functions are called.
TrainingEnd train(const TrainingRequest& request, const TrainingListener& listener, Ranks& ranks = alone());

}  // namespace gradus
