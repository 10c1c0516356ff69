#pragma once
/// \file
/// Runs a training on its device.

#include "10_training/checkpoint.hpp"
#include "11_translator/training/training_data.hpp"
#include "11_translator/training/training_request.hpp"
#include "11_translator/training/training_run.hpp"

namespace gradus {

/// The training of a run, from its last checkpoint on.
TrainingEnd train_on(DeviceChoice wanted, const TrainingRequest& request, const TrainingData& data,
                     const TrainingListener& listener, const RunFolder& folder, const std::string& recipe);

}  // namespace gradus
