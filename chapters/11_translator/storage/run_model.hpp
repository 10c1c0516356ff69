#pragma once
/// \file
/// The model of a training that has not ended: a run writes model.json when it ends or stops, but its best weights are in its folder
/// from the first validation on, and its vocabularies from the first checkpoint on.

#include <optional>
#include <string>

#include "11_translator/storage/model_description.hpp"

namespace gradus {

/// What a folder has of a model.
struct StoredModel {
  ModelDescription description;
  std::string weights;         ///< path of the file of weights
  bool is_checkpoint = false;  ///< that file also has what a run needs to go on
};

/// The best weights of the run in `folder` so far; before its first validation those of its newest checkpoint. No value if no run is
/// there. Throws Error, one line, if the run has taken no step, or if an earlier version began it, which kept no vocabulary: then the
/// line has the command that writes the model.
std::optional<StoredModel> model_of_run(const std::string& folder);

/// The end of a message about a damaged file of the model in `folder`: the command that writes it again; "" if no run is there, or one
/// without a step.
std::string repair_hint(const std::string& folder);

}  // namespace gradus
