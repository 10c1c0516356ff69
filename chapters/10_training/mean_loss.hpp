#pragma once
/// \file
/// The loss of sentences that are not trained on.

#include <algorithm>
#include <vector>

#include "10_training/step.hpp"

namespace gradus {

/// Mean cross-entropy (without smoothing and dropout) of `pairs`, in nats for each target token. The ranks share the
/// work; the result does not depend on their number.
template <class Dev>
double mean_loss(const Model<Dev>& model, const IdPairs& pairs, const SentenceMarks& marks, Workers& workers,
                 Ranks& ranks = alone()) {
  if (pairs.size() == 0) fail("there are no sentence pairs to validate on");
  // The cache of a part is kept as a whole, so parts are small for any number of pairs.
  const std::size_t parts = std::max<std::size_t>(32, (pairs.size() + 31) / 32);
  const BatchList batches = split_batch(make_batches(pairs, {0, pairs.size()}, 0, 0).front(), pairs, parts);
  std::vector<double> losses(batches.size());
  const ModelConfig config = model.config.without_dropout();
  std::size_t tokens = 0;
  for (const auto& target : pairs.target) tokens += target.size() + 1;
  const Interval own = piece_of(ranks.rank(), ranks.size(), batches.size());
  each_on<Dev>(workers, own.size(), [&](std::size_t k) {
    const std::size_t i = own.begin + k;
    Dev dev;
    DeviceBatch<Dev> batch;
    batch.load(dev, pack(batches[i], pairs, marks));
    TransformerCache<Dev> cache;
    transformer_forward(dev, cache, batch.view(), model.params, config);
    const auto loss = dev.kept.vector(1);
    fill(dev, loss, 0);
    output_loss_value(dev, loss, cache.output(), model.params.output, batch.view().target, 0);
    std::vector<typename Dev::Real> number;
    read(dev, number, In<Dev, 1>(loss));
    losses[i] = static_cast<double>(number[0]);
  });
  all_gather_pieces(ranks, losses);
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return sum / static_cast<double>(tokens);
}

}  // namespace gradus
