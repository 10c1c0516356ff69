#pragma once
/// \file
/// All settings that decide the weights of a model, as text: two runs are the same if their recipes are the same.

#include <cstdint>
#include <string>

#include "11_translator/training/training_data.hpp"

namespace gradus {

/// JSON. The vocabularies' sizes in `request.model` must be set.
std::string recipe_of(const TrainingRequest& request, const TrainingData& data);

/// The number of micro-batches of the run with this recipe.
std::size_t micro_batches_of(const std::string& recipe);

/// The products of that run.
Products products_of(const std::string& recipe);

/// How that run cuts words, if it has whole words. Runs of earlier versions do not say it.
WordRules word_rules_of(const std::string& recipe);

/// Its normalisation.
Normalisation normalisation_of(const std::string& recipe);

std::uint32_t epochs_of(const std::string& recipe);
std::uint32_t warmup_of(const std::string& recipe);

/// Whether two recipes are equal except for the number of epochs.
bool differ_in_epochs_alone(const std::string& a, const std::string& b);

/// Whether a run with this recipe takes the same steps for any number of epochs that follow: its learning rate does
/// not fall to 0 at the end of the last one.
bool has_open_end(const std::string& recipe);

/// A model's metadata about its training: JSON. `weights` says which of the run's weights they are
/// (FinalWeights); `loss` is their loss on the validation pairs, and is left out if it is not finite.
std::string training_metadata(std::uint32_t steps, const std::string& weights, double loss,
                              const std::string& recipe);

/// Whether `metadata` is that of a run with this recipe after that many steps. `was_chosen`: the weights were
/// chosen by validation at the run's end, and are not just those after the last step. False for any other metadata.
bool is_metadata_of(const std::string& metadata, std::uint32_t steps, const std::string& recipe, bool was_chosen);

/// Throws UsageError, with what to do, unless the run with the recipe `stored` can continue with `recipe`.
void check_recipe(const TrainingRequest& request, const std::string& recipe, const std::string& stored);

}  // namespace gradus
