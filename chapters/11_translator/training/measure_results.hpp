#pragma once
/// \file
/// Measures the finished model of a run on the validation text.

#include "11_translator/training/record/run_results.hpp"
#include "11_translator/training/training_data.hpp"

namespace gradus {

/// Translates the validation text with the model in the request's output folder, on the request's device.
RunResults measure_results(const TrainingRequest& request, const TrainingData& data);

}  // namespace gradus
