#pragma once
/// \file
/// What a training notes of itself while it runs: the means of its steps, and what it can say at each validation.

#include "10_training/trainer.hpp"
#include "11_translator/training/record/training_history.hpp"
#include "11_translator/training/training_data.hpp"
#include "11_translator/training/training_request.hpp"
#include "11_translator/translator/translate_texts.hpp"

namespace gradus {

/// Adds a step. The steps of an unfinished ten stand one by one, which the tenth turns into their mean: so a history
/// that was cut at any step goes on to the same bits.
void note_step(TrainingHistory& history, const StepReport& report);

/// The history with the unfinished ten as one mean too, for people.
TrainingHistory shown(TrainingHistory history);

/// Notes the BLEU of the translations of the validation text, and three of them, always the same.
void note_translations(ValidationRecord& record, const std::vector<std::vector<TranslatedText>>& translations,
                       const LinePairs& lines);

/// What ModelFiles::unusual_below says, learnt from what a beam search found for the validation sentences.
double unusual_below(const std::vector<std::vector<TranslatedText>>& translations);

template <class Dev>
std::vector<float> current_weights(Dev& dev, const Model<Dev>& model) {
  std::vector<typename Dev::Real> weights;
  read(dev, weights, In<Dev, 1>(model.flat()));
  return {weights.begin(), weights.end()};
}

/// Looks at the weights as they are: the loss, and what they translate.
template <class Dev>
ValidationRecord validation_record(const Model<Dev>& model, const TrainingData& data,
                                   const TrainingRequest& request, Workers& workers) {
  ValidationRecord record;
  record.loss = mean_loss(model, data.valid, request.plan.marks, workers);
  TranslateOptions greedy;
  greedy.beam_size = 1;
  greedy.threads = request.threads;
  const LinePairs& lines = data.valid_lines;
  note_translations(record, translate_texts<Dev>({data.tokenizers, model}, lines.source, greedy), lines);
  return record;
}

}  // namespace gradus
