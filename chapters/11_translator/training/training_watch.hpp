#pragma once
/// \file
/// The record of a running training: the means of its steps, and its translations at each validation.

#include "10_training/trainer.hpp"
#include "11_translator/training/record/training_history.hpp"
#include "11_translator/training/training_data.hpp"
#include "11_translator/training/training_request.hpp"
#include "11_translator/translator/translate_texts.hpp"

namespace gradus {

/// Adds a step. Ten steps become one record, their mean; until the tenth they are stored one by one. So a history
/// that is cut at any step continues with the same bits.
void note_step(TrainingHistory& history, const StepReport& report);

/// One line if the loss of a step is more than twice that of the training's beginning, `first`, and more than that of guessing each of
/// `words` words equally often; else "".
std::string sign_of_divergence(const StepReport& report, double first, std::size_t words);

/// The history with the unfinished ten as one mean too, for people.
TrainingHistory shown(TrainingHistory history);

/// Records the BLEU of the validation text's translations, and always the same three of them. What the model
/// does not write, case or punctuation, BLEU ignores.
void note_translations(ValidationRecord& record, const std::vector<std::vector<TranslatedText>>& translations,
                       const TrainingData& data);

/// The value of ModelFiles::unusual_below, from the beam search over the validation sentences; at most unusual_at_most
/// (warnings/limits.hpp).
double unusual_below(const std::vector<std::vector<TranslatedText>>& translations);

/// The other limits of the model's warnings, from the same search.
WarningLimits warning_limits(const std::vector<std::vector<TranslatedText>>& translations,
                             const TrainingData& data);

/// Sets all limits of the model's warnings.
void set_limits(ModelFiles& files, const std::vector<std::vector<TranslatedText>>& translations,
                const TrainingData& data);

template <class Dev>
std::vector<float> current_weights(Dev& dev, const Model<Dev>& model) {
  std::vector<typename Dev::Real> weights;
  read(dev, weights, In<Dev, 1>(model.flat()));
  return {weights.begin(), weights.end()};
}

/// Measures the current weights: their loss and their translations. All ranks get the same record.
template <class Dev>
ValidationRecord validation_record(const Model<Dev>& model, const TrainingData& data,
                                   const TrainingRequest& request, Workers& workers, Ranks& ranks) {
  ValidationRecord record;
  record.loss = mean_loss(model, data.valid, request.plan.marks, workers, ranks);
  TranslateOptions greedy;
  greedy.beam_size = 1;
  greedy.threads = request.threads;
  note_translations(record, translate_texts<Dev>({data.tokenizers, model}, data.valid_lines.source, greedy, ranks),
                    data);
  return record;
}

}  // namespace gradus
