#pragma once
/// \file
/// Lines of a training's text that are not what its options say: sides exchanged, pairs in one side, line ends within lines.

#include <string>
#include <vector>

#include "11_translator/training/text_quality.hpp"
#include "11_translator/training/training_data.hpp"

namespace gradus {

/// How many times as many nats for each token the unigram model of a side of the training needs for the validation's same side, as for the
/// other; the smaller of both sides' numbers, because one side alone may differ in something else, such as capitals. About 1 if both sides
/// are alike; above it, the validation is probably exchanged. `train` counts the tokens of the training's own text.
double cost_of_order(const TrainingData& data, const SideCounts& train);

/// One line for each fault: the sides of the validation or of the text mixed in are exchanged, or those of the first model's direction; most lines of one side hold a pair with a tab; a table has names of columns or quotes; lines hold carriage
/// returns; a vocabulary of words is learnt from text without spaces. Training lines that are not in memory, because their ids are stored, were looked at before.
std::vector<std::string> faults_of_sides(const TrainingRequest& request, const TrainingData& data,
                                         const TextQuality& quality);

}  // namespace gradus
