#pragma once
/// \file
/// A training that goes on from the weights of a finished model (`--init-from`).

#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/training_request.hpp"

namespace gradus {

/// The model in the request's `init_from`. Throws Error if there is none, and UsageError, one line that names what differs,
/// if it is not of the shape, or not with the kind of vocabulary, that the request asks for. Dropout may differ: it is no
/// part of the weights.
ModelFiles initial_model(const TrainingRequest& request);

}  // namespace gradus
