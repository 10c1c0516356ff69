#pragma once
/// \file
/// What the finished model of a run does with the validation text.

#include "11_translator/training/record/run_results.hpp"
#include "11_translator/training/training_data.hpp"

namespace gradus {

/// Lets the model in the request's output folder translate the validation text, on the request's device.
RunResults measure_results(const TrainingRequest& request, const TrainingData& data);

}  // namespace gradus
