#pragma once
/// \file
/// One step of training: M micro-batches, each on a slot of its own, then one update. The weights after it are the
/// same bits for any number of threads, because what is added to what, and in which order, depends on M alone.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "09_transformer/model.hpp"
#include "10_training/batches.hpp"
#include "10_training/optimiser.hpp"
#include "10_training/output_loss.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/util/workers.hpp"

namespace gradus {

struct Optimiser {
  bool is_adam = true;  ///< else SGD
  AdamOptions adam;
  SgdOptions sgd;
};

struct StepResult {
  double loss = 0;                ///< label-smoothed cross-entropy, mean over the batch's target tokens
  double gradient_norm = 0;       ///< before clipping
  std::uint32_t failed_step = 0;  ///< the first step whose gradient was not finite; 0: none
};

/// A batch in the memory of a device, which may ask for spare rows up to those of `most`.
template <class Dev>
class DeviceBatch {
 public:
  void load(Dev& dev, const HostBatch& given, const BatchRoom& most = {}) {
    const HostBatch host = with_room(
        given, {dev.room(given.source.size(), most.source_rows), dev.room(given.target.size(), most.target_rows),
                dev.room(given.source_segments.begin.size(), most.sentences), dev.room(0, most.longest)});
    memory_.settle();
    batch_.source = ids(dev, host.source);
    batch_.decoder_input = ids(dev, host.decoder_input);
    batch_.target = ids(dev, host.target);
    batch_.sources = segments(dev, host.source_segments);
    batch_.targets = segments(dev, host.target_segments);
  }
  const Batch<Dev>& view() const { return batch_; }

  StepSizes sizes() const {
    return {batch_.sources.rows,    batch_.targets.rows,    batch_.sources.sentences(),
            batch_.sources.longest, batch_.targets.longest, memory_.allocations()};
  }

 private:
  Ints<Dev, 1> ids(Dev& dev, const std::vector<std::int32_t>& host) {
    const auto view = memory_.ints(host.size());
    write(dev, view, host);
    return view;
  }
  Segments<Dev> segments(Dev& dev, const SegmentTable& host) {
    return {ids(dev, host.begin), ids(dev, host.length), host.rows, host.longest};
  }

  Stack<typename Dev::Real, typename Dev::Space> memory_;
  Batch<Dev> batch_;
};

/// What a micro-batch needs: a device with its workspace, gradients, and room for what forward saves.
template <class Dev>
struct Slot {
  explicit Slot(const Model<Dev>& model) : gradients(model.layout) {
    Binder<Dev> bind(model.layout, gradients.flat());
    dp = transformer_params(bind, model.config);
    loss = numbers.vector(1);
    norm = numbers.vector(1);
    total = numbers.vector(1);
    status = numbers.ints(1);
    fill(dev, loss, 0);
    write(dev, status, std::vector<std::int32_t>{0});
  }

  Dev dev;
  Store<Dev> gradients;
  TransformerParams<Dev> dp;
  DeviceBatch<Dev> batch;
  TransformerCache<Dev> cache;
  Stack<typename Dev::Real, typename Dev::Space> numbers;
  Acc<Dev, 1> loss, norm, total;  ///< (1) each: of the micro-batch; of a range of the gradient; of all of it
  OutInts<Dev, 1> status;         ///< (1)
};

/// Forward, loss and backward of one micro-batch; its gradients are overwritten.
template <class Dev>
void micro_batch_gradients(Slot<Dev>& slot, const Model<Dev>& model, double smoothing) {
  Dev& dev = slot.dev;
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

  /// `micro_batches` is part of the recipe; `workers` only says how many of them run at once, and `most` what no batch
  /// exceeds, where that is known.
  TrainingStep(Model<Dev>& model, std::size_t micro_batches, double smoothing, const Optimiser& optimiser,
               Workers& workers, const BatchRoom& most = {})
      : model_(model),
        m_(model.layout),
        v_(model.layout),
        smoothing_(smoothing),
        optimiser_(optimiser),
        workers_(workers),
        most_(most) {
    if (micro_batches == 0) fail("a training step needs at least one micro-batch");
    for (std::size_t i = 0; i < micro_batches; ++i) slots_.push_back(std::make_unique<Slot<Dev>>(model));
    fill(slots_[0]->dev, m_.flat(), 0);
    fill(slots_[0]->dev, v_.flat(), 0);
  }

  /// Trains on `batch`. `state` is that of the whole batch: its row offsets and 1 / tokens are set here.
  StepResult run(const std::vector<std::uint32_t>& batch, const IdPairs& pairs, const SentenceMarks& marks,
                 StepState state) {
    load(batch, pairs, marks, state);
    if (slots_.size() == 1) {  // one sequence of launches, which a GPU records once
      slots_[0]->dev.run_step(slots_[0]->batch.sizes(), [&] {
        micro_batch_gradients(*slots_[0], model_, smoothing_);
        reduce(0);
        update(0);
      });
    } else {
      workers_.each(slots_.size(), [&](std::size_t i) {
        slots_[i]->dev.run_step(slots_[i]->batch.sizes(),
                                [&] { micro_batch_gradients(*slots_[i], model_, smoothing_); });
      });
      workers_.each(slots_.size(), [&](std::size_t i) { reduce(i); });
      workers_.each(slots_.size(), [&](std::size_t i) { update(i); });
    }
    return result();
  }

  View<Real, 1, typename Dev::Space> first_moment() const { return m_.flat(); }
  View<Real, 1, typename Dev::Space> second_moment() const { return v_.flat(); }
  std::size_t slots() const { return slots_.size(); }
  Slot<Dev>& slot(std::size_t i) { return *slots_[i]; }

 private:
  struct Range {
    std::size_t begin, count;
  };

  /// The part of the flat store that slot i adds up and updates.
  Range range(std::size_t i) const {
    const std::size_t n = model_.layout.size(), share = (n / slots_.size() + 16) / 16 * 16;
    const std::size_t begin = std::min(n, i * share);
    return {begin, std::min(n, begin + share) - begin};
  }

  void load(const std::vector<std::uint32_t>& batch, const IdPairs& pairs, const SentenceMarks& marks,
            StepState state) {
    const BatchList parts = cut(batch, pairs, slots_.size());
    std::size_t tokens = 0;
    for (const std::uint32_t i : batch) tokens += pairs.target[i].size() + 1;
    state.inverse_tokens = 1.0 / static_cast<double>(tokens);
    state.source_row = state.target_row = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const HostBatch host = pack(parts[i], pairs, marks);
      slots_[i]->dev.set(state);
      slots_[i]->batch.load(slots_[i]->dev, host, most_);
      state.source_row += static_cast<std::uint32_t>(host.source.size());
      state.target_row += static_cast<std::uint32_t>(host.target.size());
    }
  }

  /// Range i of all slots' gradients, added up in slot 0 in the order of the slots, and its squared norm.
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

  /// New weights for range i.
  void update(std::size_t i) {
    Slot<Dev>& own = *slots_[i];
    fill(own.dev, own.total, 0);
    for (const auto& slot : slots_)
      add(own.dev, as_matrix(own.total, 1, 1), In<Dev, 2>(as_matrix(slot->norm, 1, 1)));
    const auto [begin, count] = range(i);
    const std::size_t decaying = model_.layout.decaying();
    const auto of = [b = begin, n = count](View<Real, 1, typename Dev::Space> flat) { return slice(flat, b, n); };
    const In<Dev, 1> g = of(slots_[0]->gradients.flat());
    if (optimiser_.is_adam) {
      AdamOptions options = optimiser_.adam;
      options.update.decaying = std::min(count, decaying > begin ? decaying - begin : 0);
      adam(own.dev, of(model_.flat()), of(m_.flat()), of(v_.flat()), own.status, g, In<Dev, 1>(own.total), options);
    } else {
      SgdOptions options = optimiser_.sgd;
      options.update.decaying = std::min(count, decaying > begin ? decaying - begin : 0);
      sgd(own.dev, of(model_.flat()), of(m_.flat()), own.status, g, In<Dev, 1>(own.total), options);
    }
  }

  StepResult result() {
    StepResult r;
    std::vector<Real> number;
    for (const auto& slot : slots_) {
      read(slot->dev, number, In<Dev, 1>(slot->loss));
      r.loss += static_cast<double>(number[0]);
    }
    read(slots_[0]->dev, number, In<Dev, 1>(slots_[0]->total));
    r.gradient_norm = std::sqrt(static_cast<double>(number[0]));
    std::vector<std::int32_t> status;
    read(slots_[0]->dev, status, Ints<Dev, 1>(slots_[0]->status));
    r.failed_step = static_cast<std::uint32_t>(status[0]);
    return r;
  }

  Model<Dev>& model_;
  std::vector<std::unique_ptr<Slot<Dev>>> slots_;
  Store<Dev> m_, v_;
  double smoothing_;
  Optimiser optimiser_;
  Workers& workers_;
  BatchRoom most_;
};

}  // namespace gradus
