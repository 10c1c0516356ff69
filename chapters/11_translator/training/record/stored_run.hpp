#pragma once
/// \file
/// A run as it stands in its folder: history, recipe, timing, and the results of its model.

#include <optional>
#include <string>
#include <vector>

#include "11_translator/training/record/run_results.hpp"
#include "11_translator/training/record/run_timing.hpp"
#include "11_translator/training/record/training_history.hpp"

namespace gradus {

/// The files that a run has written to its folder so far.
struct StoredRun {
  std::string folder;
  TrainingHistory history;
  std::string recipe;
  bool finished = false;
  std::optional<RunResults> results;  ///< of the finished model; no value while the run continues
  RunTiming timing;
  std::vector<std::string> faults = {};  ///< for people: the files that are damaged, and what takes their place
};

/// Reads the folder; a training may be writing there. Of a damaged history.json the checkpoint's history
/// takes the place, or an empty one; of a damaged results.json none. Throws Error, one line, if it is not the folder of a run.
StoredRun stored_run(const std::string& folder);

/// The same if history, recipe and state are known: reads no checkpoint.
StoredRun stored_run(const std::string& folder, const TrainingHistory& history, const std::string& recipe,
                     bool finished);

/// Whether the folder has results of its current model.
bool has_results(const std::string& folder);

}  // namespace gradus
