#pragma once
/// \file
/// One step of training: M micro-batches, each in its own slot, then one update. The resulting weights have the
/// same bits for any number of threads and of processes, because the order of all additions depends on M alone.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "10_training/optimiser/frozen.hpp"
#include "10_training/optimiser/optimiser.hpp"
#include "10_training/step/all_slots.hpp"
#include "10_training/step/slot.hpp"
#include "10_training/step/step_log.hpp"
#include "gradus/memory/lent_workspaces.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

struct StepResult {
  double loss = 0;                ///< label-smoothed cross-entropy, mean over the batch's target tokens
  double gradient_norm = 0;       ///< before clipping
  std::uint32_t failed_step = 0;  ///< the first step whose gradient was not finite; 0: none
};

template <class Dev>
class TrainingStep {
 public:
  using Real = typename Dev::Real;
  using Flat = View<Real, 1, typename Dev::Space>;

  /// `micro_batches` is part of the recipe; `workers` only decides how many of them run at the same time, and `ranks`
  /// on how many processes. `capacity` is the size that no batch exceeds, if it is known.
  TrainingStep(Model<Dev>& model, const Corpus<Dev>& corpus, std::size_t micro_batches, double smoothing,
               const OptimiserOptions& optimiser, Workers& workers, const BatchSize& capacity = {},
               Ranks& ranks = alone())
      : model_(model),
        corpus_(corpus),
        micro_batches_(checked(micro_batches)),
        all_slots_(ranks, micro_batches, model.layout.size()),
        m_(memory_.vector(own_range().size())),
        v_(memory_.vector(own_range().size())),
        norms_(memory_.vector(micro_batches)),
        smoothing_(smoothing),
        optimiser_(optimiser),
        runs_(parameter_runs(model.layout, optimiser.frozen)),
        workers_(workers),
        lent_(std::min(workers.size(), own_slots().size())),
        capacity_(capacity) {
    for (std::size_t i = 0; i < own_slots().size(); ++i) {
      slots_.push_back(std::make_unique<Slot<Dev>>(model));
      all_slots_.add_slot(slots_.back()->gradients.flat());
    }
    fill(dev(), m_, 0);
    fill(dev(), v_, 0);
  }

  /// A step on batch k of the corpus. It takes seed, step and learning rate from `state`, and sets the rest of it
  /// here.
  StepResult run(std::size_t k, const StepState& state) {
    start(k, state);
    return results(1).front();
  }

  /// The same without waiting for the result. After a step whose gradient is not finite, later steps change no
  /// weight.
  void start(std::size_t k, const StepState& state) {
    prepare(k, state);
    last_step_ = state.step;
    if (micro_batches_ == 1) {  // one sequence of launches, which a GPU records once
      dev().run_step(slot(0).batch.sizes(), [&] {
        loss_and_gradients(slot(0));
        sum_gradients();
        update_weights();
      });
    } else {
      lent_.equalise();
      each_slot([&](std::size_t i) {
        Slot<Dev>& own = slot(i);
        lent_.lend(own.dev, nullptr,
                   [&] { own.dev.run_step(own.batch.sizes(), [&] { loss_and_gradients(own); }); });
      });
      all_slots_.run_step(dev(), [&] {
        sum_gradients();
        update_weights();
      });
    }
  }

  /// The results of the last `count` consecutive steps, at most Dev::steps_ahead. Waits for the device, and for the
  /// other processes.
  std::vector<StepResult> results(std::size_t count) {
    std::vector<StepResult> steps(count);
    std::vector<std::vector<Real>> logs(micro_batches_, std::vector<Real>(2 * Dev::steps_ahead));
    for (std::size_t i = own_slots().begin; i < own_slots().end; ++i)
      read(slot(i).dev, logs[i], In<Dev, 1>(as_vector(slot(i).log)));
    all_slots_.share_logs(logs);
    for (const std::vector<Real>& log : logs) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = (last_step_ + 1 + i - count) % Dev::steps_ahead;
        steps[i].loss += static_cast<double>(log[2 * row]);
        steps[i].gradient_norm = std::sqrt(static_cast<double>(log[2 * row + 1]));
      }
    }
    std::vector<std::int32_t> status;
    read(dev(), status, Ints<Dev, 1>(slots_[0]->status));
    for (StepResult& step : steps) step.failed_step = static_cast<std::uint32_t>(status[0]);
    return steps;
  }

  std::size_t slots() const { return micro_batches_; }
  const Interval& own_slots() const { return all_slots_.own_slots(); }  ///< those that this process computes
  const Interval& own_range() const { return all_slots_.own_range(); }  ///< the parameters that it updates
  Slot<Dev>& slot(std::size_t i) { return *slots_[i - own_slots().begin]; }

  const LentWorkspaces<Dev>& lent() const { return lent_; }

  /// The moments, and the gradient of the whole batch, of the parameters in own_range().
  Flat first_moment() const { return m_; }
  Flat second_moment() const { return v_; }
  In<Dev, 1> gradient() { return all_slots_.sum(own_range()); }

 private:
  static std::size_t checked(std::size_t micro_batches) {
    if (micro_batches == 0) fail("a training step needs at least one micro-batch");
    return micro_batches;
  }

  Dev& dev() { return slots_[0]->dev; }  ///< for what concerns all slots
  static Flat part(Flat flat, const Interval& run) { return slice(flat, run.begin, run.size()); }
  Flat norm(std::size_t i) { return slice(norms_, i, 1); }

  template <class F>
  void each_slot(const F& f) {
    each_on<Dev>(workers_, own_slots().size(), [&](std::size_t i) { f(own_slots().begin + i); });
  }

  /// Calls f(here, is_frozen) for each piece of `range` that is all frozen, or all not.
  template <class F>
  void each_run(const Interval& range, const F& f) {
    for (const ParameterRun& run : runs_) {
      const Interval here{std::max(range.begin, run.at.begin), std::min(range.end, run.at.end)};
      if (here.begin < here.end) f(here, run.is_frozen);
    }
  }

  /// Splits batch k and gives each slot its part, which the slot takes within the step.
  void prepare(std::size_t k, StepState state) {
    const auto& batch = corpus_.batches()[k];
    state.inverse_tokens = 1.0 / static_cast<double>(batch_size(batch, corpus_.pairs()).target_rows);
    state.first_pair = corpus_.first_pair(k);
    state.source_row = state.target_row = 0;
    const BatchList parts = split_batch(batch, corpus_.pairs(), micro_batches_);
    for (std::size_t i = 0; i < micro_batches_; ++i) {
      const BatchSize size = batch_size(parts[i], corpus_.pairs());
      state.pairs = static_cast<std::uint32_t>(size.sentences);
      if (own_slots().has(i)) {
        slot(i).dev.set(state);
        slot(i).batch.reserve(size, capacity_);
      }
      state.first_pair += state.pairs;
      state.source_row += static_cast<std::uint32_t>(size.source_rows);
      state.target_row += static_cast<std::uint32_t>(size.target_rows);
    }
  }

  void loss_and_gradients(Slot<Dev>& slot) { micro_batch_gradients(slot, corpus_, model_, smoothing_); }

  /// Adds up the gradients of all slots, and the squares of the sum, in which those of frozen parameters count as 0.
  void sum_gradients() {
    all_slots_.sum_gradients(dev(), workers_);
    each_slot([&](std::size_t i) {
      each_run(all_slots_.range(i), [&](const Interval& here, bool is_frozen) {
        if (is_frozen) fill(slot(i).dev, all_slots_.sum(here), 0);
      });
      fill(slot(i).dev, norm(i), 0);
      squared_norm(slot(i).dev, norm(i), In<Dev, 1>(all_slots_.sum(all_slots_.range(i))));
    });
    all_slots_.share_norms(dev(), norms_);
  }

  void update_weights() {
    each_slot([&](std::size_t i) { update(i); });
    all_slots_.share_weights(dev(), model_.flat());
  }

  /// Updates the weights of range i, and writes a row of the log.
  void update(std::size_t i) {
    Slot<Dev>& own = slot(i);
    fill(own.dev, own.total, 0);
    for (std::size_t k = 0; k < micro_batches_; ++k)
      add(own.dev, as_matrix(own.total, 1, 1), In<Dev, 2>(as_matrix(norm(k), 1, 1)));
    const std::size_t decaying = optimiser_.decays_all ? model_.layout.size() : model_.layout.decaying();
    const Interval range = all_slots_.range(i);
    if (range.size() == 0) update(own, range, 0);  // its status, too
    each_run(range, [&](const Interval& here, bool is_frozen) { update(own, here, is_frozen ? 0 : decaying); });
    log_step(own.dev, own.log, In<Dev, 1>(own.numbers));
  }

  /// Updates the weights `here`; those before `decaying` decay. With a gradient of 0 and without decay, as for frozen ones,
  /// a weight does not change.
  void update(Slot<Dev>& own, const Interval& here, std::size_t decaying) {
    const Interval kept{here.begin - own_range().begin, here.end - own_range().begin};  // in m_ and v_
    const auto with_decay = [&](auto options) {
      options.update.decaying = std::min(here.size(), decaying > here.begin ? decaying - here.begin : 0);
      return options;
    };
    const Flat w = part(model_.flat(), here), m = part(m_, kept), v = part(v_, kept);
    const In<Dev, 1> g = all_slots_.sum(here), squared = own.total;
    if (optimiser_.kind == Optimiser::adam)
      adam(own.dev, w, m, v, own.status, g, squared, with_decay(optimiser_.adam));
    else
      sgd(own.dev, w, m, own.status, g, squared, with_decay(optimiser_.sgd));
  }

  Model<Dev>& model_;
  const Corpus<Dev>& corpus_;
  std::size_t micro_batches_;
  AllSlots<Dev> all_slots_;
  std::vector<std::unique_ptr<Slot<Dev>>> slots_;  // those of this process
  Workspace<Real, typename Dev::Space> memory_;
  Flat m_, v_;  // of own_range()
  Flat norms_;  // (M) squared norms of all ranges
  double smoothing_;
  OptimiserOptions optimiser_;
  std::vector<ParameterRun> runs_;
  Workers& workers_;
  LentWorkspaces<Dev> lent_;
  BatchSize capacity_;
  std::size_t last_step_ = 0;
};

}  // namespace gradus
