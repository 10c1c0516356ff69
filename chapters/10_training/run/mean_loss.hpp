#pragma once
/// \file
/// The loss of sentences that are not trained on.

#include <algorithm>
#include <atomic>
#include <vector>

#include "10_training/step/step.hpp"

namespace gradus {

/// Computes the losses of parts of some pairs, one part after the other, in the same memory. On a GPU one recording
/// serves all parts.
template <class Dev>
class PartLosses {
 public:
  /// The parts are the batches of `corpus`. `most` is the size that none of them exceeds. Row i of `losses` (parts, 1)
  /// gets the loss of part i.
  PartLosses(const Model<Dev>& model, const Corpus<Dev>& corpus, const BatchSize& most, Acc<Dev, 2> losses)
      : model_(model),
        config_(model.config.without_dropout()),
        corpus_(corpus),
        most_(most),
        losses_(losses),
        loss_(memory_.vector(1)) {}

  void compute(std::size_t i) {
    const BatchSize size = batch_size(corpus_.batches()[i], corpus_.pairs());
    StepState state;  // without 1 / tokens: the loss is a sum
    state.step = static_cast<std::uint32_t>(i);
    state.first_pair = corpus_.first_pair(i);
    state.pairs = static_cast<std::uint32_t>(size.sentences);
    dev_.set(state);
    batch_.reserve(size, most_);
    dev_.run_step(batch_.sizes(), [&] {
      batch_.take(dev_, corpus_);
      transformer_forward(dev_, cache_, batch_.view(), model_.params, config_);
      fill(dev_, loss_, 0);
      output_loss_value(dev_, loss_, cache_.output(), model_.params.output, batch_.view().target, 0);
      log_step(dev_, losses_, In<Dev, 1>(loss_));
    });
  }

 private:
  const Model<Dev>& model_;
  ModelConfig config_;
  const Corpus<Dev>& corpus_;
  BatchSize most_;
  Acc<Dev, 2> losses_;
  Dev dev_;
  DeviceBatch<Dev> batch_;
  TransformerCache<Dev> cache_;
  Workspace<typename Dev::Real, typename Dev::Space> memory_;
  Acc<Dev, 1> loss_;  // (1)
};

/// The size that no batch of the corpus exceeds.
inline BatchSize largest(const BatchList& batches, const PairsView& pairs) {
  BatchSize most;
  for (const auto& batch : batches) {
    const BatchSize size = batch_size(batch, pairs);
    for (std::size_t BatchSize::*of : {&BatchSize::source_rows, &BatchSize::target_rows, &BatchSize::sentences,
                                       &BatchSize::longest_source, &BatchSize::longest_target}) {
      most.*of = std::max(most.*of, size.*of);
    }
  }
  return most;
}

/// Mean cross-entropy (without smoothing and dropout) of `pairs`, in nats for each target token. The ranks share the
/// work; the result does not depend on their number.
template <class Dev>
double mean_loss(const Model<Dev>& model, const IdPairs& pairs, const SentenceMarks& marks, Workers& workers,
                 Ranks& ranks = alone()) {
  if (pairs.size() == 0) fail("there are no sentence pairs to validate on");
  // The cache of a part is kept as a whole, so parts are small for any number of pairs.
  const std::size_t parts = std::max<std::size_t>(32, (pairs.size() + 31) / 32);
  Dev dev;
  Corpus<Dev> corpus(dev, pairs, marks);
  corpus.set_batches(dev, split_batch(make_batches(pairs, {0, pairs.size()}, 0, 0).front(), pairs, parts));
  const BatchSize most = largest(corpus.batches(), pairs);
  Workspace<typename Dev::Real, typename Dev::Space> memory;
  const Acc<Dev, 2> on_device = memory.matrix(parts, 1);
  const Interval own = piece_of(ranks.rank(), ranks.size(), parts);
  std::atomic<std::size_t> next = own.begin;
  each_on<Dev>(workers, Dev::side_by_side ? std::min(workers.size(), own.size()) : 1, [&](std::size_t) {
    PartLosses<Dev> losses(model, corpus, most, on_device);
    for (std::size_t i = next++; i < own.end; i = next++) losses.compute(i);
  });
  std::vector<typename Dev::Real> numbers;
  read(dev, numbers, In<Dev, 1>(as_vector(on_device)));
  std::vector<double> losses(numbers.begin(), numbers.end());
  all_gather_pieces(ranks, losses);
  double sum = 0;
  for (const double loss : losses) sum += loss;
  std::size_t tokens = 0;
  for (const auto& target : pairs.target) tokens += target.size() + 1;
  return sum / static_cast<double>(tokens);
}

}  // namespace gradus
