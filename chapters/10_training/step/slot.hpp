#pragma once
/// \file
/// A slot: all that a micro-batch needs for itself.

#include <vector>

#include "09_transformer/model.hpp"
#include "10_training/data/corpus.hpp"
#include "10_training/loss/output_loss.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus {

/// The memory of a micro-batch: a device with its workspace, gradients, and room for the caches of forward.
template <class Dev>
struct Slot {
  explicit Slot(const Model<Dev>& model) : gradients(model.layout) {
    Binder<Dev> bind(model.layout, gradients.flat());
    dp = transformer_params(bind, model.config);
    numbers = memory.vector(2);
    loss = slice(numbers, 0, 1);
    total = slice(numbers, 1, 1);
    log = memory.matrix(Dev::steps_ahead, 2);
    status = memory.ints(1);
    write(dev, status, std::vector<std::int32_t>{0});
  }

  Dev dev;
  FlatVector<Dev> gradients;
  TransformerParams<Dev> dp;
  DeviceBatch<Dev> batch;
  TransformerCache<Dev> cache;
  Workspace<typename Dev::Real, typename Dev::Space> memory;
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

}  // namespace gradus
