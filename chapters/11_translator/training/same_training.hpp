#pragma once
/// \file
/// Whether all ranks were started for the same training.

#include <string>

#include "11_translator/training/training_request.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// Throws UsageError, on all ranks, if they run different programs, or if options differ that decide how long to run, when to save
/// and on what device, or that the recipe cannot compare. Returns a warning, or "", as require_same_program does.
std::string require_same_training(const TrainingRequest& request, Ranks& ranks);

/// The same for the recipe: options and text.
void require_same_recipe(const std::string& recipe, Ranks& ranks);

}  // namespace gradus
