#pragma once
/// \file
/// From the folder of a run to its report: the text that it was trained on is not needed.

#include <optional>
#include <string>

#include "11_translator/training/record/run_results.hpp"
#include "11_translator/training/record/run_timing.hpp"
#include "11_translator/training/record/training_history.hpp"
#include "11_translator/training/report/training_report.hpp"
#include "gradus/device/choice.hpp"

namespace gradus {

/// What a run has left in its folder so far.
struct StoredRun {
  std::string folder;
  TrainingHistory history;
  std::string recipe;
  bool finished = false;
  std::optional<RunResults> results;  ///< of the finished model that is there; none as long as the run goes on
  RunTiming timing;
};

/// Reads the folder; a training may be writing there. Throws Error, one line, if it is not the folder of a run.
StoredRun stored_run(const std::string& folder);

/// The same where history, recipe and state are known: no checkpoint is read.
StoredRun stored_run(const std::string& folder, const TrainingHistory& history, const std::string& recipe,
                     bool finished);

/// Whether the folder has results of the model that is in it.
bool has_results(const std::string& folder);

/// The last part of a folder's path, "run" of "build/run/".
std::string folder_name(const std::string& folder);

/// The first digits of a recipe's SHA-256: equal for equal runs.
std::string recipe_hash(const std::string& recipe);

/// All that the report shows. The model in the folder is loaded to draw its attention, if it is finished.
ReportData report_data(const StoredRun& run, DeviceChoice device);

}  // namespace gradus
