#pragma once
/// \file
/// What a training notes of itself while it runs: the means of its steps, and what it can say at each validation.

#include "10_training/trainer.hpp"
#include "11_translator/model_files.hpp"
#include "11_translator/training/training_data.hpp"
#include "11_translator/training/training_history.hpp"

namespace gradus {

/// Adds a step. The steps of an unfinished ten stand one by one, which the tenth turns into their mean: so a history
/// that was cut at any step goes on to the same bits.
void note_step(TrainingHistory& history, const StepReport& report);

/// The history with the unfinished ten as one mean too, for people.
TrainingHistory shown(TrainingHistory history);

/// Looks at the weights as they are: loss, greedy BLEU, and the translations of three sentences, always the same.
template <class Dev>
ValidationRecord validation_record(Dev& dev, const Model<Dev>& model, const TrainingData& data,
                                   const SentenceMarks& marks, Workers& workers, std::size_t threads);

/// What ModelFiles::unusual_below says, learnt from validation sentences by beam search.
double unusual_below(const ModelFiles& model, const std::vector<std::string>& sources, std::size_t threads);

template <class Dev>
std::vector<float> current_weights(Dev& dev, const Model<Dev>& model);

}  // namespace gradus
