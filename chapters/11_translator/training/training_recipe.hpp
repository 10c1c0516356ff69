#pragma once
/// \file
/// Everything that decides the weights of a model, as text: a run is the same run where this is the same.

#include <cstdint>
#include <string>

#include "11_translator/training/training_data.hpp"

namespace gradus {

/// JSON. The vocabularies' sizes in `request.model` are filled in.
std::string recipe_of(const TrainingRequest& request, const TrainingData& data);

/// Into how many micro-batches the run of this recipe cuts its batches.
std::size_t micro_batches_of(const std::string& recipe);

std::uint32_t epochs_of(const std::string& recipe);

/// Whether two recipes are the same but for the number of epochs.
bool differ_in_epochs_alone(const std::string& a, const std::string& b);

/// Whether a run with this recipe takes the same steps however many epochs follow: its learning rate does not fall to 0 at
/// the end of the last one.
bool has_open_end(const std::string& recipe);

/// What a model says of how it came to be: JSON. `weights` says which of the run's they are (FinalWeights), `loss` is
/// theirs on the validation pairs; not finite: left out.
std::string training_metadata(std::uint32_t steps, const std::string& weights, double loss,
                              const std::string& recipe);

/// Whether such metadata is of a run with this recipe that has taken so many steps. `was_chosen`: its weights are those of a
/// run's end, chosen by validation, and not just those after the last step. Other text is no such metadata.
bool is_metadata_of(const std::string& metadata, std::uint32_t steps, const std::string& recipe, bool was_chosen);

}  // namespace gradus
