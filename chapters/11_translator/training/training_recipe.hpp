#pragma once
/// \file
/// Everything that decides the weights of a model, as text: a run is the same run where this is the same.

#include <string>

#include "11_translator/training/training_data.hpp"

namespace gradus {

/// JSON. The vocabularies' sizes in `request.model` are filled in.
std::string recipe_of(const TrainingRequest& request, const TrainingData& data);

/// The names of the choices in which two recipes differ: "seed, epochs".
std::string differences(const std::string& a, const std::string& b);

}  // namespace gradus
