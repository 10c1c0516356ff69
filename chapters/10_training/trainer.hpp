#pragma once
/// \file
/// The training loop: epochs of batches, validation, early stopping, checkpoints. A resumed run gives the same
/// bits. All ranks run it side by side; rank 0 has the folder.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "10_training/run/checkpoint.hpp"
#include "10_training/run/mean_loss.hpp"
#include "10_training/run/plan.hpp"
#include "10_training/run/state_of_ranks.hpp"
#include "10_training/step/step.hpp"

namespace gradus {

/// The report of one step. Reports come in the order of the steps.
struct StepReport {
  std::uint32_t step = 0, epoch = 0;
  std::uint32_t batch = 0, batches = 0;  ///< within the epoch, counted from 1
  std::size_t source_tokens = 0, target_tokens = 0;
  double loss = 0, gradient_norm = 0, learning_rate = 0;
};

/// How long to run, and the functions that receive progress; nothing of this changes a weight. With several ranks, the
/// numbers are equal on all of them, and so are the results of should_stop, should_save and validate.
struct TrainingControl {
  std::uint32_t max_steps = 0;        ///< of the whole run; 0: no limit
  std::uint32_t save_every = 0;       ///< steps between checkpoints; 0: at validations and at the end
  std::function<bool()> should_stop;  ///< called after each step, or after several steps of a GPU
  std::function<bool()> should_save;  ///< the same, after should_stop: saves a checkpoint now, and goes on
  std::function<void(const StepReport&)> on_step;
  std::function<double()> validate;  ///< score of the current weights, higher is better
  /// The state's epoch is the one of the last step, and next_batch counts its batches so far, all of them at its end.
  std::function<void(const TrainingState&, double score, bool is_best)> on_validation;
};

enum class Outcome {
  finished,  ///< all epochs are done, or the patience is used up
  stopped,   ///< by a limit or by should_stop; the run can continue
  failed     ///< a gradient was not finite; nothing was saved after the last good checkpoint
};

template <class Dev>
class Trainer {
 public:
  using Real = typename Dev::Real;

  /// `folder` may be absent: then nothing is saved. Of several ranks, rank 0 has it.
  /// `recipe` identifies the run in its checkpoints.
  Trainer(Model<Dev>& model, const PairsView& pairs, const TrainingPlan& plan, Workers& workers,
          std::optional<RunFolder> folder = {}, std::string recipe = "", Ranks& ranks = alone())
      : model_(model),
        pairs_(pairs),
        plan_(plan),
        corpus_(dev_, pairs, plan.marks),
        step_(model, corpus_, plan.micro_batches, plan.smoothing, plan.optimiser, workers,
              batch_capacity(pairs, plan.batches), ranks),
        folder_(std::move(folder)),
        recipe_(std::move(recipe)),
        ranks_(ranks),
        saves_(any(ranks, folder_.has_value())) {
    if (pairs.size() == 0) fail("there are no sentence pairs to train on");
    for (std::size_t i = step_.own_slots().begin; i < step_.own_slots().end; ++i)
      step_.slot(i).dev.choose(plan.products.value_or(Dev::default_products));
    if (plan_.schedule.decay_steps == 0 && has_an_end(plan_.schedule.kind)) {
      plan_.schedule.decay_steps = all_steps();
    }
  }

  const TrainingState& state() const { return state_; }
  const TrainingPlan& plan() const { return plan_; }
  TrainingStep<Dev>& step() { return step_; }

  /// The number of steps of all epochs together, computed at the first call.
  std::uint32_t all_steps() {
    if (all_steps_ == 0) all_steps_ = planned_steps(plan_, pairs_);
    return all_steps_;
  }

  /// Continues from the folder's checkpoint. Returns false if there is none. `is_ours` may accept other recipes
  /// than this trainer's: those whose runs have taken the same steps so far. Such a run then follows the plan of
  /// this trainer.
  bool resume(const RecipeTest& is_ours = {}) {
    if (!any(ranks_, folder_ && folder_->has_checkpoint())) return false;
    const auto same = [this](const std::string& stored) { return stored == recipe_; };
    Snapshot<Real> snapshot;
    on_first(ranks_,
             [&] { snapshot = folder_->template load<Real>(model_.layout, is_ours ? is_ours : RecipeTest(same)); });
    const StateOfRanks<Dev> others(ranks_, dev_, plan_.micro_batches, model_.layout.size());
    others.share(snapshot);
    broadcast_weights(ranks_, dev_, model_.flat(), snapshot.weights);
    others.scatter_ranges(step_.first_moment(), snapshot.m);
    others.scatter_ranges(step_.second_moment(), snapshot.v);
    state_ = snapshot.state;
    metadata_ = snapshot.metadata;
    skipped_checkpoints_ = snapshot.skipped_checkpoints;
    has_other_plan_ = !same(snapshot.recipe);
    if (has_other_plan_) state_.finished = is_patience_spent(state_, plan_);
    return true;
  }

  /// Whether the resumed run had another recipe until now.
  bool has_other_plan() const { return has_other_plan_; }

  /// From now on each checkpoint stores the result of `make`, for the caller to read after resuming.
  void set_metadata(std::function<std::string()> make) { make_metadata_ = std::move(make); }
  const std::string& metadata() const { return metadata_; }  ///< of the resumed checkpoint
  /// The faults of newer checkpoints, which were skipped.
  const std::string& skipped_checkpoints() const { return skipped_checkpoints_; }

  /// Trains until the plan is completed or something stops it.
  Outcome run(const TrainingControl& control) {
    while (!state_.finished) {
      if (state_.epoch > plan_.epochs) {
        state_.finished = true;
        break;
      }
      corpus_.set_batches(dev_, make_batches(pairs_, plan_.batches, plan_.seed, state_.epoch));
      const std::size_t batches = corpus_.batches().size();
      while (state_.next_batch < batches) {
        if (control.max_steps != 0 && state_.step >= control.max_steps) return stop();
        if (!take_steps(control)) return Outcome::failed;
        const std::uint32_t epoch = state_.epoch, taken = state_.next_batch;
        const bool epoch_ends = taken == batches;
        if (epoch_ends) ++state_.epoch, state_.next_batch = 0;
        if (is_validation_due(epoch_ends))
          validate(control, epoch, taken);
        else if (control.save_every != 0 && state_.step % control.save_every == 0)
          save();
        if (control.should_stop && control.should_stop()) return stop();
        if (control.should_save && control.should_save()) save();
        if (epoch_ends || state_.finished) break;
      }
    }
    save();
    return Outcome::finished;
  }

  /// Writes a checkpoint of the current state.
  void save() {
    if (!saves_) return;
    Snapshot<Real> s;
    const StateOfRanks<Dev> others(ranks_, dev_, plan_.micro_batches, model_.layout.size());
    s.m = others.gather_ranges(step_.first_moment());
    s.v = others.gather_ranges(step_.second_moment());
    on_first(ranks_, [&] {
      s.state = state_;
      s.metadata = make_metadata_ ? make_metadata_() : metadata_;
      read(dev_, s.weights, In<Dev, 1>(model_.flat()));
      folder_->save(model_.layout, s, recipe_);
    });
  }

 private:
  Outcome stop() {
    save();
    return Outcome::stopped;
  }

  bool is_validation_due(bool epoch_ends) const {
    return plan_.valid_every == 0 ? epoch_ends : state_.step % plan_.valid_every == 0;
  }

  /// How many steps the device is asked for at once: up to and including the next one after which the run may stop,
  /// validates or saves, at most steps_ahead.
  std::size_t steps_together(const TrainingControl& control) const {
    std::size_t n = std::min(Dev::steps_ahead, corpus_.batches().size() - state_.next_batch);
    for (const std::uint32_t every : {plan_.valid_every, control.save_every}) {
      if (every != 0) n = std::min<std::size_t>(n, every - state_.step % every);
    }
    return control.max_steps == 0 ? n : std::min<std::size_t>(n, control.max_steps - state_.step);
  }

  /// The known part of the report of the step after `ahead` others.
  StepReport announced(std::uint32_t ahead) const {
    StepReport report{state_.step + 1 + ahead, state_.epoch, state_.next_batch + 1 + ahead,
                      static_cast<std::uint32_t>(corpus_.batches().size())};
    report.learning_rate = learning_rate(plan_.schedule, report.step, state_.reductions);
    const BatchSize size = batch_size(corpus_.batches()[report.batch - 1], pairs_);
    report.source_tokens = size.source_rows;
    report.target_tokens = size.target_rows;
    return report;
  }

  void start(const StepReport& report) {
    step_.start(report.batch - 1, {plan_.seed, report.step, report.learning_rate});
  }

  /// false: the gradient of a step was not finite, and the state is the one before that step.
  bool take_steps(const TrainingControl& control) {
    std::vector<StepReport> reports(steps_together(control));
    for (std::uint32_t i = 0; i < reports.size(); ++i) start(reports[i] = announced(i));
    const std::vector<StepResult> results = step_.results(reports.size());
    for (std::size_t i = 0; i < reports.size(); ++i) {
      reports[i].loss = results[i].loss;
      reports[i].gradient_norm = results[i].gradient_norm;
      if (control.on_step) control.on_step(reports[i]);
      if (results[i].failed_step == reports[i].step) {
        start(reports[i]);  // computes its gradient again, for the search for the faulty parameter
        return false;
      }
      ++state_.step;
      ++state_.next_batch;
    }
    return true;
  }

  /// Saves the weights before the checkpoint that mentions them: a run that is killed in between validates again.
  /// `epoch` and `taken`: the epoch of the last step, and its steps.
  void validate(const TrainingControl& control, std::uint32_t epoch, std::uint32_t taken) {
    if (control.validate) {
      const double score = control.validate();
      const std::uint32_t number = state_.validations;
      const bool is_best = note_score(state_, plan_, score);
      if (saves_) on_first(ranks_, [&] { save_weights(number, is_best); });
      TrainingState now = state_;
      now.epoch = epoch, now.next_batch = taken;
      if (control.on_validation) control.on_validation(now, score, is_best);
    }
    save();
  }

  void save_weights(std::uint32_t validation, bool is_best) {
    std::vector<Real> weights;
    read(dev_, weights, In<Dev, 1>(model_.flat()));
    if (plan_.average_last != 0) {
      folder_->save_weights("recent-" + std::to_string(validation % plan_.average_last), model_.layout, weights);
    }
    if (is_best) folder_->save_weights("best", model_.layout, weights);
  }

  Model<Dev>& model_;
  PairsView pairs_;
  TrainingPlan plan_;
  Dev dev_;  // for copies between steps
  Corpus<Dev> corpus_;
  TrainingStep<Dev> step_;
  std::optional<RunFolder> folder_;
  std::string recipe_;
  Ranks& ranks_;
  bool saves_;
  std::uint32_t all_steps_ = 0;
  TrainingState state_;
  std::function<std::string()> make_metadata_;
  std::string metadata_, skipped_checkpoints_;
  bool has_other_plan_ = false;
};

}  // namespace gradus
