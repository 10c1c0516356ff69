#pragma once
/// \file
/// Lines of a training's text that are not what its options say: sides exchanged, pairs in one side, line ends within lines.

#include <string>
#include <vector>

#include "11_translator/training/text_quality.hpp"
#include "11_translator/training/training_data.hpp"

namespace gradus {

/// How many times as many nats the unigram models of the training's sides need for the validation's sides as they are, as for these
/// exchanged. About 1 if both sides are alike; above it, the validation is probably exchanged. `train` counts the training's tokens.
double cost_of_order(const TrainingData& data, const SideCounts& train);

/// One line for each fault: the validation's sides are exchanged, or those of the first model's direction; most lines of one side hold a pair with a tab; a table has names of columns or quotes; lines hold carriage
/// returns; a vocabulary of words is learnt from text without spaces. Training lines that are not in memory, because their ids are stored, were looked at before.
std::vector<std::string> faults_of_sides(const TrainingRequest& request, const TrainingData& data,
                                         const SideCounts& train);

}  // namespace gradus
