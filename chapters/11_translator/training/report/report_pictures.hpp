#pragma once
/// \file
/// The pictures of a training's report, except attention, as HTML.

#include <string>
#include <vector>

#include "11_translator/training/record/training_history.hpp"

namespace gradus {

/// Loss, BLEU, learning rate and norm of the gradient over the steps.
std::string curves(const TrainingHistory& history);

/// The first positions of a table (P, D): at most 64 rows and at most 128 columns, which are pairs of sine and
/// cosine.
std::string positions_picture(const std::vector<float>& table, std::size_t D);

/// Three masks of chapter 04: a padding mask, a causal mask, and both.
std::string masks_picture();

}  // namespace gradus
