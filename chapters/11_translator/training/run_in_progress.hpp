#pragma once
/// \file
/// A run in memory, from its folder's last checkpoint to its end. All ranks do the same, but rank 0 alone reads and
/// writes files.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include "11_translator/training/faulty_parameter.hpp"
#include "11_translator/training/final_weights.hpp"
#include "11_translator/training/measure_results.hpp"
#include "11_translator/training/record/run_files.hpp"
#include "11_translator/training/record/stored_run.hpp"
#include "11_translator/training/training_recipe.hpp"
#include "11_translator/training/training_run.hpp"
#include "11_translator/training/training_watch.hpp"
#include "11_translator/training/without_effect.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {

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
  void prepare_folder();
  void tell_of_ranks();
  void tell_of_going_on();
  void tell_of_length();
  void tell_of_divergence(const StepReport& report);
  void take_history();
  void check_weights_for_the_end();
  void take_first_weights();
  void change_epochs();
  void write_history();
  TrainingControl control();
  [[noreturn]] void fail_step();
  bool has_model() const;
  void write_model();
  void end_folder();

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
  std::optional<double> first_loss_;  ///< of the beginning of the run
  bool diverges_ = false;             ///< this was said
  bool save_agreed_ = false;          ///< after this step
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
      clock_(file("timing.json"), workers_.size() * ranks.size(), name_of(device_taken(request.device)),
             request.overwrite) {
  history_.command = request.command;
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
  if (!request_.overwrite && trainer_.resume(is_ours)) {
    together(ranks_, [&] { take_history(); });
    on_first(ranks_, [&] { check_weights_for_the_end(); });
    if (!trainer_.state().finished) tell_of_going_on();
  } else {
    take_first_weights();
  }
  if (!trainer_.state().finished) tell_of_length();
  history_.unknown = data_.unknown;
  trainer_.set_metadata([this] {
    write_history();
    return to_json(history_);
  });
  // from now on the folder belongs to this run
  if (trainer_.state().step == 0 || trainer_.has_other_plan()) trainer_.save();
  on_first(ranks_, [&] { prepare_folder(); });
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

template <class Dev>
void RunInProgress<Dev>::tell_of_length() {
  const std::uint32_t steps = trainer_.all_steps();
  for (const std::string& line : without_effect(request_, steps)) listener_.warn(line);
  const std::string of_stop = effect_of_stop(request_, steps, trainer_.state().step);
  if (!of_stop.empty()) listener_.say(of_stop);
}

/// Says it once: the losses on the screen, and a history, show the rest.
template <class Dev>
void RunInProgress<Dev>::tell_of_divergence(const StepReport& report) {
  if (!first_loss_) first_loss_ = history_.steps.empty() ? report.loss : history_.steps.front().loss;
  const std::string line = diverges_ ? "" : sign_of_divergence(report, *first_loss_, request_.model.target_vocab);
  if (line.empty()) return;
  diverges_ = true;
  listener_.warn(line);
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
  const std::size_t all = model_.layout.size(),
                    trained = trained_parameters(model_.layout, request_.plan.optimiser.frozen);
  const std::string parameters =
      "training " + (trained == all ? "" : std::to_string(trained) + " of ") + plural(all, "parameter");
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
    tell_of_divergence(report);
    note_step(history_, report);
    clock_.step(report.source_tokens, report.target_tokens);
    listener_.on_step(report, all);
  };
  c.should_stop = [this, start] {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    const bool is_late = request_.max_minutes > 0 && used.count() > 60 * request_.max_minutes;
    enum : std::uint8_t { go_on, save, stop };
    const bool stops = is_late || listener_.interrupted(), saves = listener_.save_asked();
    const std::uint8_t agreed = largest(ranks_, stops ? stop : saves ? save : go_on);  // one exchange for both
    save_agreed_ = agreed == save;
    return agreed == stop;
  };
  c.should_save = [this] {
    if (save_agreed_) listener_.say("saving the run after step " + std::to_string(trainer_.state().step));
    return save_agreed_;
  };
  c.validate = [this] {
    history_.validations.push_back(
        clock_.validation([&] { return validation_record(model_, data_, request_, workers_, ranks_); }));
    return -history_.validations.back().loss;
  };
  c.on_validation = [this](const TrainingState& state, double, bool is_best) {
    ValidationRecord& record = history_.validations.back();
    record.step = state.step;
    record.epoch = state.epoch;
    std::error_code none;
    if (is_best && is_first(ranks_))
      std::filesystem::remove(file("model.json"), none);  // of the last stop, and worse
    listener_.on_validation(record, is_best);
  };
  return c;
}

template <class Dev>
TrainingEnd RunInProgress<Dev>::run() {
  begin();
  if (trainer_.state().finished) {  // perhaps it was killed between the last checkpoint and these files
    write_model();
    on_first(ranks_, [&] { end_folder(); });
    return TrainingEnd::already_finished;
  }
  clock_.begin();
  listener_.on_begin();
  const Outcome outcome = interrupted() ? Outcome::stopped : trainer_.run(control());
  if (trainer_.state().step == 0 && interrupted()) return TrainingEnd::interrupted;  // random numbers are no model
  if (outcome == Outcome::failed) fail_step();
  const std::uint32_t patience = request_.plan.patience, waited = trainer_.state().since_best;
  if (outcome == Outcome::finished && patience != 0 && waited >= patience)
    listener_.say("the last " + std::to_string(waited) +
                  " validations were no better than the best one: the training ends here");
  write_model();
  if (outcome != Outcome::finished) return interrupted() ? TrainingEnd::interrupted : TrainingEnd::stopped;
  on_first(ranks_, [&] { end_folder(); });
  return TrainingEnd::finished;
}

template <class Dev>
void RunInProgress<Dev>::fail_step() {
  const TrainingState& s = trainer_.state();
  std::string where;
  const std::string own = faulty_parameter(dev_, model_.layout, In<Dev, 1>(trainer_.step().gradient()),
                                           trainer_.step().own_range().begin);
  for (const std::string& name : all_gather(ranks_, own)) {
    if (where.empty() && !name.empty()) where = ", first in " + name;
  }
  const std::string text = "the gradient of step " + std::to_string(s.step + 1) + " (epoch " +
                           std::to_string(s.epoch) + ") is not finite" + where +
                           "; the last checkpoint is kept. A lower --learning-rate may help";
  fail_together(ranks_, text);
}

}  // namespace gradus

#include "11_translator/training/run_in_progress_files.hpp"
