#pragma once
/// \file
/// Choices that do not fit the length of a run.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "10_training/data/pairs.hpp"
#include "11_translator/training/training_request.hpp"

namespace gradus {

/// The number of validations of a run of `steps` steps, if no patience ends it.
std::uint32_t planned_validations(const TrainingPlan& plan, std::uint32_t steps);

/// One line for each choice that takes no effect, or not its whole one, in a run of `steps` steps: a warm-up, a fall of the rate,
/// validations or checkpoints beyond its end, a patience or a mean of more validations than it has.
std::vector<std::string> without_effect(const TrainingRequest& request, std::uint32_t steps);

/// One line if a text of few pairs makes few steps of large batches: choices that suit it. `vocabulary` is the size of the source's. "" else, and
/// with the weights of a finished model.
std::string hint_at_few_steps(const TrainingRequest& request, const PairsView& pairs, std::size_t vocabulary);

/// One line if the run, which has made `made` of its `steps` steps, stops before its end, at `max_steps`: at once, within its warm-up
/// or before its first validation; else "".
std::string effect_of_stop(const TrainingRequest& request, std::uint32_t steps, std::uint32_t made);

}  // namespace gradus
