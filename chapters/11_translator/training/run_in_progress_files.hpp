#pragma once
/// \file
/// The files that a run in progress writes besides its checkpoints: history, model, results.

#include <filesystem>
#include <string>

#include "11_translator/training/run_in_progress.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"

namespace gradus {

/// The history is part of the checkpoint, so that both are always of the same step; the file is for people.
template <class Dev>
void RunInProgress<Dev>::write_history() {
  if (trainer_.state().step == 0) return;
  write_own_file(file("history.json"), to_json(shown(history_)));
  clock_.write();
}

/// A run in the way is removed when the first checkpoint of this one is there. The vocabularies are written now, so that the weights
/// can be used while the run goes on (storage/run_model.hpp).
template <class Dev>
void RunInProgress<Dev>::prepare_folder() {
  if (request_.overwrite) remove_run(request_.output, true);
  if (!trainer_.state().finished)
    save_tokenizers(request_.output, {request_.model, {}, data_.tokenizers, "{}", {}});
  write_history();
}

/// Whether the folder already holds the model of the run's current state: then nothing is written.
template <class Dev>
bool RunInProgress<Dev>::has_model() const {
  const TrainingState& s = trainer_.state();
  const std::string metadata = stored_metadata(file("model.json"));
  if (!is_metadata_of(metadata, s.step, recipe_, s.finished && s.validations != 0)) return false;
  return is_described({request_.model, {}, data_.tokenizers, metadata, {}}, file("model.json"));
}

/// The end of the run needs them, so the user learns it now if one is missing or damaged.
template <class Dev>
void RunInProgress<Dev>::check_weights_for_the_end() {
  if (trainer_.state().finished && has_model()) return;
  for (const std::string& name : weights_for_the_end(trainer_.state(), request_)) {
    try {
      check_weights(SafetensorsFile::load(file(name + ".safetensors")), model_.layout);
    } catch (const Error& fault) {
      fail(std::string(fault.what()) + "; the end of the run needs this file. --init-from " + request_.output +
           ", with another --output, begins with the weights of the run");
    }
  }
}

template <class Dev>
void RunInProgress<Dev>::write_model() {
  bool has_one = false;
  on_first(ranks_, [&] { has_one = has_model(); });
  if (any(ranks_, has_one)) return;
  const FinalWeights kept =
      take_final_weights(dev_, model_, folder_, trainer_.state(), request_, data_.valid, workers_, ranks_);
  if (std::isfinite(kept.loss))
    listener_.say(std::string("kept the ") + (kept.is_mean ? "" : "weights ") + kept.text);
  ModelFiles files{request_.model,
                   current_weights(dev_, model_),
                   data_.tokenizers,
                   training_metadata(trainer_.state().step, kept.text, kept.loss, recipe_),
                   {}};
  if (trainer_.state().finished) {
    const auto best = translate_texts<Dev>({data_.tokenizers, model_}, data_.valid_lines.source,
                                           TranslateOptions::same_bits(request_.threads), ranks_);
    set_limits(files, best, data_);
  }
  on_first(ranks_, [&] { save_model(request_.output, files); });
  listener_.say("the model is in " + request_.output);
}

/// Measures the folder's model unless that was done. Whoever listens gets the run again each time, so its report always belongs to
/// the model beside it.
template <class Dev>
void RunInProgress<Dev>::end_folder() {
  clock_.write();
  if (!has_results(request_.output)) {
    write_own_file(file("results.json"), to_json(measure_results(request_, data_)));
  }
  listener_.on_finished(stored_run(request_.output, shown(history_), recipe_, true), request_.device);
}

}  // namespace gradus
