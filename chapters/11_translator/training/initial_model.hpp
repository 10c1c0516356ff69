#pragma once
/// \file
/// A training that starts from the weights of a finished model (`--init-from`).

#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/training_request.hpp"

namespace gradus {

/// Loads the model in the request's `init_from`. Throws Error if there is none. Throws UsageError, one line that
/// names the differences, if the request asks for another shape or another kind of vocabulary. Dropout may differ:
/// it is no part of the weights.
ModelFiles initial_model(const TrainingRequest& request);

}  // namespace gradus
