#pragma once
/// \file
/// A classic exercise for a translator: read digits and output them in reverse. It needs every part of the model.

#include <algorithm>
#include <random>
#include <set>

#include "09_transformer/greedy.hpp"
#include "09_transformer/initialise.hpp"
#include "10_training/trainer.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// `n` pairs of 1 to 8 digits (ids 4 .. 13) and the same reversed.
inline IdPairs reversed_digits(std::size_t n, std::uint32_t seed) {
  std::mt19937 generator(seed);
  IdPairs pairs;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::int32_t> digits(1 + generator() % 8);
    for (auto& d : digits) d = 4 + static_cast<std::int32_t>(generator() % 10);
    pairs.source.push_back(digits);
    std::reverse(digits.begin(), digits.end());
    pairs.target.push_back(digits);
  }
  return pairs;
}

/// The pairs of `all` whose source does not occur in `seen`: there are only a few short ones, so most of them do.
inline IdPairs unseen(const IdPairs& all, const IdPairs& seen) {
  const std::set<std::vector<std::int32_t>> known(seen.source.begin(), seen.source.end());
  IdPairs result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (known.count(all.source[i]) != 0) continue;
    result.source.push_back(all.source[i]);
    result.target.push_back(all.target[i]);
  }
  return result;
}

inline ModelConfig digit_model(Norm norm = Norm::pre, DecoderUnit unit = DecoderUnit::attention) {
  ModelConfig c;
  c.source_vocab = c.target_vocab = 14;
  c.d_model = 32, c.heads = 2, c.ffn = 64;
  c.encoder_layers = c.decoder_layers = 2;
  c.norm = norm;
  c.decoder_unit = unit;
  c.tying = Tying::all;
  c.max_length = 32;
  c.embedding_rate = c.attention_rate = c.activation_rate = c.residual_rate = 0.05;
  return c;
}

inline TrainingPlan digit_plan(std::uint32_t epochs) {
  TrainingPlan plan;
  plan.batches.tokens = 400;
  plan.schedule = {ScheduleKind::linear, 5e-3, 100, 0};
  plan.optimiser.adam.update.clip = 1;
  plan.epochs = epochs;
  return plan;
}

/// The share of pairs that greedy decoding answers exactly.
template <class Dev>
double exact_share(const Model<Dev>& model, const IdPairs& pairs) {
  Dev dev;
  std::vector<Sentence> sources = pairs.source;
  for (Sentence& s : sources) s.push_back(3);
  const auto output = greedy_decode(dev, sources, model.params, model.config);
  std::size_t right = 0;
  for (std::size_t i = 0; i < output.size(); ++i) right += output[i] == pairs.target[i];
  return static_cast<double>(right) / static_cast<double>(output.size());
}

/// The share of unseen digits that are reversed exactly after a training on 4,000 pairs.
template <class Dev>
double share_after_training(Norm norm, const TrainingPlan& plan, std::size_t threads) {
  Dev dev;
  const IdPairs pairs = reversed_digits(4000, 1);
  Model<Dev> model(dev, digit_model(norm));
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(threads);
  Trainer<Dev> trainer(model, pairs, plan, workers);
  REQUIRE(trainer.run({}) == Outcome::finished);
  const IdPairs asked = unseen(reversed_digits(300, 99), pairs);
  REQUIRE(asked.size() > 150);
  return exact_share(model, asked);
}

}  // namespace gradus::test
