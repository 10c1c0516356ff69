#pragma once
/// \file
/// Everything that decides the weights of a model, as text: a run is the same run where this is the same.

#include <string>

#include "11_translator/training/training_data.hpp"

namespace gradus {

/// JSON. The vocabularies' sizes in `request.model` are filled in.
std::string recipe_of(const TrainingRequest& request, const TrainingData& data);

/// Into how many micro-batches the run of this recipe cuts its batches.
std::size_t micro_batches_of(const std::string& recipe);

/// What a model says of how it came to be: JSON.
std::string training_notes(std::uint32_t steps, const std::string& weights, const std::string& recipe);

/// The names of the choices in which two recipes differ: "seed, epochs".
std::string differences(const std::string& a, const std::string& b);

}  // namespace gradus
