#pragma once
/// \file
/// A run in memory, from its folder's last checkpoint to its end. All ranks do the same, but rank 0 alone reads and
/// writes files.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include "11_translator/training/final_weights.hpp"
#include "11_translator/training/measure_results.hpp"
#include "11_translator/training/report/run_report.hpp"
#include "11_translator/training/training_recipe.hpp"
#include "11_translator/training/training_run.hpp"
#include "11_translator/training/training_watch.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/ops/blas_core.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {

constexpr std::uint64_t longest_report = 256'000'000;  ///< bytes of a page

template <class Dev>
class RunInProgress {
 public:
  /// `folder` belongs to this run or is empty, and rank 0 has it; `recipe` identifies the run there. References must
  /// outlive the object.
  RunInProgress(const TrainingRequest& request, const TrainingData& data, const TrainingListener& listener,
                const std::optional<RunFolder>& folder, const std::string& recipe, Ranks& ranks);

  /// Trains from the last checkpoint, or from the beginning, until the run is finished or stopped.
  TrainingEnd run();

 private:
  std::string file(const std::string& name) const { return request_.output + "/" + name; }
  bool interrupted() { return any(ranks_, listener_.interrupted()); }
  void begin();
  void tell_of_ranks();
  void tell_of_going_on();
  void take_history();
  void take_first_weights();
  void change_epochs();
  void write_history();
  TrainingControl control();
  [[noreturn]] void fail_step();
  std::string faulty_parameter();
  bool has_model() const;
  void write_model();
  void write_report();

  const TrainingRequest& request_;
  const TrainingData& data_;
  const TrainingListener& listener_;
  const std::optional<RunFolder> folder_;
  const std::string recipe_;
  Ranks& ranks_;
  Dev dev_;
  Model<Dev> model_;
  Workers workers_;
  Trainer<Dev> trainer_;
  TrainingHistory history_;
  RunClock clock_;
};

template <class Dev>
RunInProgress<Dev>::RunInProgress(const TrainingRequest& request, const TrainingData& data,
                                  const TrainingListener& listener, const std::optional<RunFolder>& folder,
                                  const std::string& recipe, Ranks& ranks)
    : request_(request),
      data_(data),
      listener_(listener),
      folder_(folder),
      recipe_(recipe),
      ranks_(ranks),
      model_(dev_, request.model),
      workers_(std::max<std::size_t>(1, request.threads)),
      trainer_(model_, data.training_pairs(), request.plan, workers_, folder, recipe, ranks),
      clock_(file("timing.json"), workers_.size() * ranks.size(), name_of(device_taken(request.device))) {
  history_.command = request.command;
}

/// The history is part of the checkpoint, so that both are always of the same step; the file is for people.
template <class Dev>
void RunInProgress<Dev>::write_history() {
  if (trainer_.state().step == 0) return;
  write_own_file(file("history.json"), to_json(shown(history_)));
  clock_.write();
}

/// Threads are no part of the recipe, so ranks may have different numbers of them.
template <class Dev>
void RunInProgress<Dev>::tell_of_ranks() {
  if (ranks_.size() == 1) return;
  const bool all_alike = !difference(ranks_, std::to_string(workers_.size()));
  listener_.say(plural(ranks_.size(), "rank") + " with " +
                (all_alike ? plural(workers_.size(), "thread") + " each" : "different numbers of threads") +
                (ranks_.has_gpu_link() ? ", GPUs linked by NCCL" : ""));
}

template <class Dev>
void RunInProgress<Dev>::begin() {
  tell_of_ranks();
  const auto is_ours = [this](const std::string& stored) {
    return stored == recipe_ || (differ_in_epochs_alone(stored, recipe_) && has_open_end(recipe_));
  };
  if (trainer_.resume(is_ours)) {
    together(ranks_, [&] { take_history(); });
    if (!trainer_.state().finished) tell_of_going_on();
  } else {
    take_first_weights();
  }
  trainer_.set_metadata([this] {
    write_history();
    return to_json(history_);
  });
  // from now on the folder belongs to this run
  if (trainer_.state().step == 0 || trainer_.has_other_plan()) trainer_.save();
  on_first(ranks_, [&] { write_history(); });
}

template <class Dev>
void RunInProgress<Dev>::tell_of_going_on() {
  listener_.say("going on after step " + std::to_string(trainer_.state().step));
  const std::string kernels = clock_.before().empty() ? blas_core() : clock_.before().back().blas;
  if (std::is_same_v<typename Dev::Space, Host> && kernels != blas_core()) {
    listener_.warn("until here the BLAS kernels were " + kernels + ", and now they are " + blas_core() +
                   ": the weights will have other last bits than without this change");
  }
}

/// The history of the resumed run, perhaps with another number of epochs.
template <class Dev>
void RunInProgress<Dev>::take_history() {
  if (!trainer_.skipped_checkpoints().empty())
    listener_.warn(trainer_.skipped_checkpoints() + "; another checkpoint is taken");
  history_ = training_history(trainer_.metadata(), "the checkpoint in " + request_.output);
  if (trainer_.has_other_plan()) change_epochs();
}

template <class Dev>
void RunInProgress<Dev>::take_first_weights() {
  const std::string parameters = "training " + plural(model_.layout.size(), "parameter");
  if (!request_.init_from.empty()) {
    const std::vector<float> weights = load_model(request_.init_from).weights;
    write(dev_, model_.flat(), std::vector<typename Dev::Real>(weights.begin(), weights.end()));
    return listener_.say(parameters + ", beginning with those of " + request_.init_from);
  }
  InitialisationOptions options = request_.initialisation;
  options.seed = request_.plan.seed;
  initialise(dev_, model_.flat(), model_.layout, options);
  listener_.say(parameters);
}

/// From now on the run has another number of epochs, as if it had started with it.
template <class Dev>
void RunInProgress<Dev>::change_epochs() {
  const TrainingState& s = trainer_.state();
  const std::uint32_t begun = s.epoch - (s.next_batch == 0 ? 1 : 0), wanted = request_.plan.epochs;
  if (begun > wanted)
    throw UsageError("the run in " + request_.output + " is in epoch " + std::to_string(begun) +
                     " already; --epochs must be at least that");
  history_.command = request_.command;
  for (const char* name : {"report.html", "results.json"})
    if (is_first(ranks_)) std::filesystem::remove(file(name));  // belongs to the shorter run
  listener_.say("the run has " + plural(wanted, "epoch") + " from now on");
}

template <class Dev>
TrainingControl RunInProgress<Dev>::control() {
  TrainingControl c;
  const auto start = std::chrono::steady_clock::now();
  c.max_steps = request_.max_steps;
  c.save_every = request_.save_every;
  c.on_step = [this, all = trainer_.all_steps()](const StepReport& report) {
    note_step(history_, report);
    clock_.step(report.source_tokens, report.target_tokens);
    listener_.on_step(report, all);
  };
  c.should_stop = [this, start] {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    const bool is_late = request_.max_minutes > 0 && used.count() > 60 * request_.max_minutes;
    return any(ranks_, is_late || listener_.interrupted());
  };
  c.validate = [this] {
    history_.validations.push_back(
        clock_.validation([&] { return validation_record(model_, data_, request_, workers_, ranks_); }));
    return -history_.validations.back().loss;
  };
  c.on_validation = [this](const TrainingState& state, double, bool is_best) {
    ValidationRecord& record = history_.validations.back();
    record.step = state.step;
    record.epoch = state.next_batch == 0 ? state.epoch - 1 : state.epoch;
    listener_.on_validation(record, is_best);
  };
  return c;
}

template <class Dev>
TrainingEnd RunInProgress<Dev>::run() {
  begin();
  if (trainer_.state().finished) {  // perhaps it was killed between the last checkpoint and these files
    write_model();
    on_first(ranks_, [&] { write_report(); });
    return TrainingEnd::already_finished;
  }
  const Outcome outcome = interrupted() ? Outcome::stopped : trainer_.run(control());
  if (trainer_.state().step == 0 && interrupted()) return TrainingEnd::interrupted;  // random numbers are no model
  if (outcome == Outcome::failed) fail_step();
  const std::uint32_t patience = request_.plan.patience, waited = trainer_.state().since_best;
  if (outcome == Outcome::finished && patience != 0 && waited >= patience)
    listener_.say("the last " + std::to_string(waited) +
                  " validations were no better than the best one: the training ends here");
  write_model();
  if (outcome != Outcome::finished) return interrupted() ? TrainingEnd::interrupted : TrainingEnd::stopped;
  on_first(ranks_, [&] { write_report(); });
  return TrainingEnd::finished;
}

template <class Dev>
void RunInProgress<Dev>::fail_step() {
  const TrainingState& s = trainer_.state();
  std::string where;
  for (const std::string& name : all_gather(ranks_, faulty_parameter())) {
    if (where.empty() && !name.empty()) where = ", first in " + name;
  }
  const std::string text = "the gradient of step " + std::to_string(s.step + 1) + " (epoch " +
                           std::to_string(s.epoch) + ") is not finite" + where +
                           "; the last checkpoint is kept. A lower --learning-rate may help";
  fail_together(ranks_, text);
}

/// The first parameter in this rank's range whose gradient is not finite; "" if there is none.
template <class Dev>
std::string RunInProgress<Dev>::faulty_parameter() {
  std::vector<typename Dev::Real> gradient;
  read(dev_, gradient, trainer_.step().gradient());
  const auto faulty = std::find_if(gradient.begin(), gradient.end(), [](auto g) { return !std::isfinite(g); });
  if (faulty == gradient.end()) return "";
  const std::size_t place = trainer_.step().own_range().begin + static_cast<std::size_t>(faulty - gradient.begin());
  for (const Slice& slice : model_.layout.slices()) {
    if (slice.offset <= place && place < slice.offset + slice.size()) return slice.name;
  }
  return "";
}

/// Whether the folder already holds the model of the run's current state: then nothing is written.
template <class Dev>
bool RunInProgress<Dev>::has_model() const {
  const TrainingState& s = trainer_.state();
  const std::string metadata = stored_metadata(file("model.json"));
  if (!is_metadata_of(metadata, s.step, recipe_, s.finished && s.validations != 0)) return false;
  return is_described({request_.model, {}, data_.tokenizers, metadata, {}}, file("model.json"));
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
    auto options = TranslateOptions::same_bits(request_.threads);
    options.ranks = &ranks_;
    files.unusual_below =
        unusual_below(translate_texts<Dev>({data_.tokenizers, model_}, data_.valid_lines.source, options));
  }
  on_first(ranks_, [&] { save_model(request_.output, files); });
  listener_.say("the model is in " + request_.output);
}

/// Measures the folder's model unless that was done, and writes its report again: so the report always belongs to
/// the model beside it.
template <class Dev>
void RunInProgress<Dev>::write_report() {
  clock_.write();
  if (!has_results(request_.output)) {
    write_own_file(file("results.json"), to_json(measure_results(request_, data_)));
  }
  const StoredRun run = stored_run(request_.output, shown(history_), recipe_, true);
  const std::string page = training_report(report_data(run, request_.device));
  if (is_there(file("report.html")) && read_regular_file(file("report.html"), longest_report) == page) return;
  write_own_file(file("report.html"), page);
  listener_.say("the report is " + file("report.html"));
}

}  // namespace gradus
