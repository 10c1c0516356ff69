#pragma once
/// \file
/// One step of training: M micro-batches, each in its own slot, then one update. The resulting weights have the
/// same bits for any number of threads and of ranks, because the order of all additions depends on M alone.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "10_training/optimiser.hpp"
#include "10_training/shares.hpp"
#include "10_training/slot.hpp"
#include "10_training/step_log.hpp"
#include "10_training/sum_of_slots.hpp"
#include "gradus/memory/lent_workspaces.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ranks/tensor_exchange.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

/// The optimiser that a training uses, and the options of both.
struct OptimiserOptions {
  Optimiser kind = Optimiser::adam;
  AdamOptions adam;
  SgdOptions sgd;
  bool decays_all = false;  ///< weight decay: tables, biases and norms too, not matrices alone
};

struct StepResult {
  double loss = 0;                ///< label-smoothed cross-entropy, mean over the batch's target tokens
  double gradient_norm = 0;       ///< before clipping
  std::uint32_t failed_step = 0;  ///< the first step whose gradient was not finite; 0: none
};

template <class Dev>
class TrainingStep {
 public:
  using Real = typename Dev::Real;

  /// `micro_batches` is part of the recipe; `workers` only decides how many of them run at the same time, and `ranks`
  /// on how many processes. `capacity` is the size that no batch exceeds, if it is known.
  TrainingStep(Model<Dev>& model, const Corpus<Dev>& corpus, std::size_t micro_batches, double smoothing,
               const OptimiserOptions& optimiser, Workers& workers, const BatchSize& capacity = {},
               Ranks& ranks = alone())
      : model_(model),
        corpus_(corpus),
        micro_batches_(checked(micro_batches)),
        own_(slots_of(ranks.rank(), ranks.size(), micro_batches)),
        updated_(ranges_of(own_, micro_batches, model.layout.size())),
        sum_(ranks, micro_batches, model.layout.size()),
        m_(memory_.vector(updated_.size())),
        v_(memory_.vector(updated_.size())),
        norms_(memory_.vector(micro_batches)),
        smoothing_(smoothing),
        optimiser_(optimiser),
        workers_(workers),
        lent_(std::min(workers.size(), own_.size())),
        ranks_(ranks),
        capacity_(capacity) {
    for (std::size_t i = 0; i < own_.size(); ++i) slots_.push_back(std::make_unique<Slot<Dev>>(model));
    fill(slots_[0]->dev, m_, 0);
    fill(slots_[0]->dev, v_, 0);
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
      slots_[0]->dev.run_step(slots_[0]->batch.sizes(), [&] {
        micro_batch_gradients(*slots_[0], corpus_, model_, smoothing_);
        measure(0);
        update(0);
      });
      return;
    }
    lent_.equalise();
    each_on<Dev>(workers_, own_.size(), [&](std::size_t i) { compute_gradients(*slots_[i]); });
    if (recorded()) {
      slots_[0]->dev.run_step({}, [&] { finish(); });  // no batch has these sizes
    } else {
      finish();
    }
  }

  /// The results of the last `count` consecutive steps, at most Dev::steps_ahead. Waits for the device, and for the
  /// other ranks.
  std::vector<StepResult> results(std::size_t count) {
    std::vector<StepResult> steps(count);
    for (const std::vector<Real>& log : logs()) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = (last_step_ + 1 + i - count) % Dev::steps_ahead;
        steps[i].loss += static_cast<double>(log[2 * row]);
        steps[i].gradient_norm = std::sqrt(static_cast<double>(log[2 * row + 1]));
      }
    }
    std::vector<std::int32_t> status;
    read(slots_[0]->dev, status, Ints<Dev, 1>(slots_[0]->status));
    for (StepResult& step : steps) step.failed_step = static_cast<std::uint32_t>(status[0]);
    return steps;
  }

  std::size_t slots() const { return micro_batches_; }
  const Interval& own_slots() const { return own_; }      ///< those that this rank computes
  const Interval& own_range() const { return updated_; }  ///< the parameters that it updates
  Slot<Dev>& slot(std::size_t i) { return *slots_[i - own_.begin]; }

  const LentWorkspaces<Dev>& lent() const { return lent_; }

  /// The moments, and the gradient of the whole batch, of the parameters in own_range().
  View<Real, 1, typename Dev::Space> first_moment() const { return m_; }
  View<Real, 1, typename Dev::Space> second_moment() const { return v_; }
  In<Dev, 1> gradient() { return total(updated_); }

 private:
  using Flat = View<Real, 1, typename Dev::Space>;

  static std::size_t checked(std::size_t micro_batches) {
    if (micro_batches == 0) fail("a training step needs at least one micro-batch");
    return micro_batches;
  }

  Interval range(std::size_t i) const { return range_of(i, micro_batches_, model_.layout.size()); }
  static Flat part(Flat flat, const Interval& run) { return slice(flat, run.begin, run.size()); }
  Flat norm(std::size_t i) { return slice(norms_, i, 1); }
  Flat gradients(std::size_t i) { return slot(i).gradients.flat(); }

  /// A device for the additions on range i, of any rank. On a processor two threads may get the same one: it only selects
  /// the overload of `add`, which uses nothing that the device holds. On a GPU one thread makes all calls.
  Dev& device_for(std::size_t i) { return slots_[i % own_.size()]->dev; }

  /// The sum of all slots' gradients, on a part of own_range().
  Flat total(const Interval& run) {
    return sum_.of(0, run, [&](std::size_t i) { return gradients(i); });
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
      if (own_.has(i)) {
        slot(i).dev.set(state);
        slot(i).batch.reserve(size, capacity_);
      }
      state.first_pair += state.pairs;
      state.source_row += static_cast<std::uint32_t>(size.source_rows);
      state.target_row += static_cast<std::uint32_t>(size.target_rows);
    }
  }

  void compute_gradients(Slot<Dev>& slot) {
    lent_.lend(slot.dev, nullptr, [&] {
      slot.dev.run_step(slot.batch.sizes(), [&] { micro_batch_gradients(slot, corpus_, model_, smoothing_); });
    });
  }

  void add_own(std::size_t i) {
    sum_.add_own(device_for(i), range(i), [&](std::size_t k) { return gradients(k); });
  }

  /// What follows the gradients of the slots.
  void finish() {
    sum_gradients();
    each_on<Dev>(workers_, own_.size(), [&](std::size_t i) { update(own_.begin + i); });
    exchange_weights();
  }

  /// Whether `finish` can be a recorded step: nothing in it passes through host memory.
  bool recorded() const { return ranks_.size() == 1 || ranks_.has_gpu_link(); }

  /// Each rank adds up its slots; then the sums of each range go to the rank that updates it, which adds these.
  void sum_gradients() {
    each_on<Dev>(workers_, micro_batches_, [&](std::size_t i) { add_own(i); });
    sum_.exchange(slots_[0]->dev, [&](std::size_t k) { return gradients(k); });
    each_on<Dev>(workers_, own_.size(), [&](std::size_t i) {
      const std::size_t k = own_.begin + i;
      sum_.join(slot(k).dev, range(k), [&](std::size_t n) { return gradients(n); });
      measure(k);
    });
    exchange_norms();
  }

  /// The squared norm of range i of the gradient.
  void measure(std::size_t i) {
    Dev& dev = slot(i).dev;
    fill(dev, norm(i), 0);
    squared_norm(dev, norm(i), In<Dev, 1>(total(range(i))));
  }

  void exchange_norms() {
    TensorExchange<Dev> exchange(ranks_, slots_[0]->dev);
    const auto of = [&](std::size_t r) { return part(norms_, slots_of(r, ranks_.size(), micro_batches_)); };
    exchange.to_all(of(ranks_.rank()), of);
    exchange.run();
  }

  void exchange_weights() {
    TensorExchange<Dev> exchange(ranks_, slots_[0]->dev);
    const auto of = [&](std::size_t r) { return part(model_.flat(), sum_.range_of_rank(r)); };
    exchange.to_all(of(ranks_.rank()), of);
    exchange.run();
  }

  /// Updates the weights of range i, and writes a row of the log.
  void update(std::size_t i) {
    Slot<Dev>& own = slot(i);
    fill(own.dev, own.total, 0);
    for (std::size_t k = 0; k < micro_batches_; ++k)
      add(own.dev, as_matrix(own.total, 1, 1), In<Dev, 2>(as_matrix(norm(k), 1, 1)));
    const Interval all = range(i);
    const Interval kept{all.begin - updated_.begin, all.end - updated_.begin};  // in m_ and v_
    const std::size_t decaying = optimiser_.decays_all ? model_.layout.size() : model_.layout.decaying();
    const std::size_t decaying_here = std::min(all.size(), decaying > all.begin ? decaying - all.begin : 0);
    const In<Dev, 1> g = total(all), squared = own.total;
    if (optimiser_.kind == Optimiser::adam) {
      AdamOptions options = optimiser_.adam;
      options.update.decaying = decaying_here;
      adam(own.dev, part(model_.flat(), all), part(m_, kept), part(v_, kept), own.status, g, squared, options);
    } else {
      SgdOptions options = optimiser_.sgd;
      options.update.decaying = decaying_here;
      sgd(own.dev, part(model_.flat(), all), part(m_, kept), own.status, g, squared, options);
    }
    log_step(own.dev, own.log, In<Dev, 1>(own.numbers));
  }

  /// The logs of all slots, in their order.
  std::vector<std::vector<Real>> logs() {
    std::vector<std::vector<Real>> all(micro_batches_, std::vector<Real>(2 * Dev::steps_ahead));
    for (std::size_t i = own_.begin; i < own_.end; ++i)
      read(slot(i).dev, all[i], In<Dev, 1>(as_vector(slot(i).log)));
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    const std::size_t bytes = 2 * Dev::steps_ahead * sizeof(Real);
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (r == ranks_.rank()) continue;
      const Interval theirs = slots_of(r, ranks_.size(), micro_batches_);
      for (std::size_t i = own_.begin; i < own_.end; ++i) out.push_back({r, all[i].data(), bytes});
      for (std::size_t i = theirs.begin; i < theirs.end; ++i) in.push_back({r, all[i].data(), bytes});
    }
    ranks_.exchange(out, in);
    return all;
  }

  Model<Dev>& model_;
  const Corpus<Dev>& corpus_;
  std::size_t micro_batches_;
  Interval own_, updated_;
  std::vector<std::unique_ptr<Slot<Dev>>> slots_;  // those of this rank
  SumOfSlots<Dev> sum_;
  Workspace<Real, typename Dev::Space> memory_;
  Flat m_, v_;  // of own_range()
  Flat norms_;  // (M) squared norms of all ranges
  double smoothing_;
  OptimiserOptions optimiser_;
  Workers& workers_;
  LentWorkspaces<Dev> lent_;
  Ranks& ranks_;
  BatchSize capacity_;
  std::size_t last_step_ = 0;
};

}  // namespace gradus
