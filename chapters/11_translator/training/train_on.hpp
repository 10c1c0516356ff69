#pragma once
/// \file
/// Runs a training on its device.

#include <optional>

#include "10_training/run/checkpoint.hpp"
#include "11_translator/training/training_data.hpp"
#include "11_translator/training/training_request.hpp"
#include "11_translator/training/training_run.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// The training of a run, from its last checkpoint on. Rank 0 has the folder.
TrainingEnd train_on(DeviceChoice wanted, const TrainingRequest& request, const TrainingData& data,
                     const TrainingListener& listener, const std::optional<RunFolder>& folder,
                     const std::string& recipe, Ranks& ranks);

}  // namespace gradus
