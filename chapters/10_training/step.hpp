#pragma once
/// \file
/// One step of training: M micro-batches, each in its own slot, then one update. The resulting weights have the
/// same bits for any number of threads, because the order of all additions depends on M alone.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "09_transformer/model.hpp"
#include "10_training/corpus.hpp"
#include "10_training/optimiser.hpp"
#include "10_training/output_loss.hpp"
#include "10_training/step_log.hpp"
#include "gradus/ops/elementwise.hpp"
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

/// The memory of a micro-batch: a device with its workspace, gradients, and room for the caches of forward.
template <class Dev>
struct Slot {
  explicit Slot(const Model<Dev>& model) : gradients(model.layout) {
    Binder<Dev> bind(model.layout, gradients.flat());
    dp = transformer_params(bind, model.config);
    norm = memory.vector(1);
    numbers = memory.vector(2);
    loss = slice(numbers, 0, 1);
    total = slice(numbers, 1, 1);
    log = memory.matrix(Dev::steps_ahead, 2);
    status = memory.ints(1);
    write(dev, status, std::vector<std::int32_t>{0});
  }

  Dev dev;
  Store<Dev> gradients;
  TransformerParams<Dev> dp;
  DeviceBatch<Dev> batch;
  TransformerCache<Dev> cache;
  Workspace<typename Dev::Real, typename Dev::Space> memory;
  Acc<Dev, 1> norm;         ///< (1) squared norm of a range of the gradient
  Acc<Dev, 1> numbers;      ///< (2) the two numbers of a step's report, below
  Acc<Dev, 1> loss, total;  ///< (1) each: loss of the micro-batch; squared norm of the whole gradient
  Acc<Dev, 2> log;          ///< (steps, 2) numbers of the last steps
  OutInts<Dev, 1> status;   ///< (1) the first step whose gradient was not finite, or 0
};

/// Forward, loss and backward of one micro-batch of the corpus; the slot's gradients are overwritten.
template <class Dev>
void micro_batch_gradients(Slot<Dev>& slot, const Corpus<Dev>& corpus, const Model<Dev>& model, double smoothing) {
  Dev& dev = slot.dev;
  slot.batch.take(dev, corpus);
  const Batch<Dev>& batch = slot.batch.view();
  fill(dev, slot.gradients.flat(), 0);
  fill(dev, slot.loss, 0);
  Scratch<Dev> scope(dev);
  transformer_forward(dev, slot.cache, batch, model.params, model.config);
  const Out<Dev, 2> dx = dev.scratch.matrix(batch.target.extent[0], model.config.d_model);  // (Nt, D)
  output_loss(dev, slot.loss, dx, slot.dp.output, slot.cache.output(), model.params.output, batch.target,
              smoothing);
  transformer_backward(dev, dx, slot.dp, batch, slot.cache, model.params, model.config);
}

template <class Dev>
class TrainingStep {
 public:
  using Real = typename Dev::Real;

  /// `micro_batches` is part of the recipe; `workers` only decides how many of them run at the same time. `capacity` is
  /// the size that no batch exceeds, if it is known.
  TrainingStep(Model<Dev>& model, const Corpus<Dev>& corpus, std::size_t micro_batches, double smoothing,
               const OptimiserOptions& optimiser, Workers& workers, const BatchSize& capacity = {})
      : model_(model),
        corpus_(corpus),
        m_(model.layout),
        v_(model.layout),
        smoothing_(smoothing),
        optimiser_(optimiser),
        workers_(workers),
        capacity_(capacity) {
    if (micro_batches == 0) fail("a training step needs at least one micro-batch");
    for (std::size_t i = 0; i < micro_batches; ++i) slots_.push_back(std::make_unique<Slot<Dev>>(model));
    fill(slots_[0]->dev, m_.flat(), 0);
    fill(slots_[0]->dev, v_.flat(), 0);
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
    if (slots_.size() == 1) {  // one sequence of launches, which a GPU records once
      slots_[0]->dev.run_step(slots_[0]->batch.sizes(), [&] {
        micro_batch_gradients(*slots_[0], corpus_, model_, smoothing_);
        reduce(0);
        update(0);
      });
    } else {
      each_on<Dev>(workers_, slots_.size(), [&](std::size_t i) {
        slots_[i]->dev.run_step(slots_[i]->batch.sizes(),
                                [&] { micro_batch_gradients(*slots_[i], corpus_, model_, smoothing_); });
      });
      each_on<Dev>(workers_, slots_.size(), [&](std::size_t i) { reduce(i); });
      each_on<Dev>(workers_, slots_.size(), [&](std::size_t i) { update(i); });
    }
  }

  /// The results of the last `count` consecutive steps, at most Dev::steps_ahead. Waits for the device.
  std::vector<StepResult> results(std::size_t count) {
    std::vector<StepResult> steps(count);
    std::vector<Real> log;
    for (const auto& slot : slots_) {
      read(slot->dev, log, In<Dev, 1>(as_vector(slot->log)));
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

  View<Real, 1, typename Dev::Space> first_moment() const { return m_.flat(); }
  View<Real, 1, typename Dev::Space> second_moment() const { return v_.flat(); }
  std::size_t slots() const { return slots_.size(); }
  Slot<Dev>& slot(std::size_t i) { return *slots_[i]; }

 private:
  struct Range {
    std::size_t begin, count;
  };

  /// The range of the flat store that slot i sums and updates.
  Range range(std::size_t i) const {
    const std::size_t n = model_.layout.size(), share = (n / slots_.size() + 16) / 16 * 16;
    const std::size_t begin = std::min(n, i * share);
    return {begin, std::min(n, begin + share) - begin};
  }

  /// Splits batch k and gives each slot its part, which the slot takes within the step.
  void prepare(std::size_t k, StepState state) {
    const auto& batch = corpus_.batches()[k];
    state.inverse_tokens = 1.0 / static_cast<double>(batch_size(batch, corpus_.pairs()).target_rows);
    state.first_pair = corpus_.first_pair(k);
    state.source_row = state.target_row = 0;
    const BatchList parts = split_batch(batch, corpus_.pairs(), slots_.size());
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const BatchSize size = batch_size(parts[i], corpus_.pairs());
      state.pairs = static_cast<std::uint32_t>(size.sentences);
      slots_[i]->dev.set(state);
      slots_[i]->batch.reserve(size, capacity_);
      state.first_pair += state.pairs;
      state.source_row += static_cast<std::uint32_t>(size.source_rows);
      state.target_row += static_cast<std::uint32_t>(size.target_rows);
    }
  }

  /// Adds range i of all slots' gradients into slot 0, in the order of the slots, and computes its squared norm.
  void reduce(std::size_t i) {
    Slot<Dev>& own = *slots_[i];
    const auto [begin, count] = range(i);
    const auto sum = slice(slots_[0]->gradients.flat(), begin, count);
    for (std::size_t k = 1; k < slots_.size(); ++k) {
      add(own.dev, as_matrix(sum, 1, count),
          In<Dev, 2>(as_matrix(slice(slots_[k]->gradients.flat(), begin, count), 1, count)));
    }
    fill(own.dev, own.norm, 0);
    squared_norm(own.dev, own.norm, In<Dev, 1>(sum));
  }

  /// Updates the weights of range i, and writes a row of the log.
  void update(std::size_t i) {
    Slot<Dev>& own = *slots_[i];
    fill(own.dev, own.total, 0);
    for (const auto& slot : slots_)
      add(own.dev, as_matrix(own.total, 1, 1), In<Dev, 2>(as_matrix(slot->norm, 1, 1)));
    const auto [begin, count] = range(i);
    const std::size_t decaying = optimiser_.decays_all ? model_.layout.size() : model_.layout.decaying();
    const auto of = [b = begin, n = count](View<Real, 1, typename Dev::Space> flat) { return slice(flat, b, n); };
    const In<Dev, 1> g = of(slots_[0]->gradients.flat());
    if (optimiser_.kind == Optimiser::adam) {
      AdamOptions options = optimiser_.adam;
      options.update.decaying = std::min(count, decaying > begin ? decaying - begin : 0);
      adam(own.dev, of(model_.flat()), of(m_.flat()), of(v_.flat()), own.status, g, In<Dev, 1>(own.total), options);
    } else {
      SgdOptions options = optimiser_.sgd;
      options.update.decaying = std::min(count, decaying > begin ? decaying - begin : 0);
      sgd(own.dev, of(model_.flat()), of(m_.flat()), own.status, g, In<Dev, 1>(own.total), options);
    }
    log_step(own.dev, own.log, In<Dev, 1>(own.numbers));
  }

  Model<Dev>& model_;
  const Corpus<Dev>& corpus_;
  std::vector<std::unique_ptr<Slot<Dev>>> slots_;
  Store<Dev> m_, v_;
  double smoothing_;
  OptimiserOptions optimiser_;
  Workers& workers_;
  BatchSize capacity_;
  std::size_t last_step_ = 0;
};

}  // namespace gradus
