#pragma once
/// \file
/// A few steps of a small training, with dropout, and a few searches: the input of the judges of recordings, and
/// the processor's results for comparison.

#include <functional>
#include <string>
#include <vector>

#include "10_training/step/step.hpp"
#include "11_translator/search/search.hpp"
#include "measure/gpu_check/corpus.hpp"
#include "measure/gpu_check/models.hpp"

namespace gradus::test {

/// The first step is plain, the second may be, one is recorded, the others are replayed.
constexpr std::size_t steps_judged = 6;

/// In the case file: the loss of each step, by micro-batches.
inline std::string losses_name(std::size_t micro_batches) {
  return "training/" + std::to_string(micro_batches) + "/losses";
}

template <class Real>
struct Trained {
  std::vector<double> losses;
  std::vector<Real> weights;
};

/// Steps on batches of several sizes, dropout on. `prepare` gets each device before its first step.
template <class Dev>
Trained<typename Dev::Real> trained(std::size_t micro_batches, const std::function<void(Dev&)>& prepare = {}) {
  constexpr std::size_t words = 40, tokens = 60;
  const IdPairs pairs = made_pairs(24, words);
  Dev dev;
  Model<Dev> model(dev, base_model(words, words, 0.2, true));
  initialise(dev, model.flat(), model.layout, {});
  Corpus<Dev> corpus(dev, pairs, {});
  corpus.set_batches(dev, batches_in_order(pairs, tokens, steps_judged));
  Workers one(1);
  TrainingStep<Dev> training(model, corpus, micro_batches, 0.1, {}, one, batch_capacity(pairs, {tokens, 0}));
  for (std::size_t i = 0; prepare && i < micro_batches; ++i) prepare(training.slot(i).dev);
  Trained<typename Dev::Real> result;
  for (std::size_t k = 0; k < steps_judged; ++k) {
    StepState state;
    state.seed = 5, state.step = static_cast<std::uint32_t>(k + 1), state.learning_rate = 1e-2;
    result.losses.push_back(training.run(k, state).loss);
  }
  read(dev, result.weights, In<Dev, 1>(model.flat()));
  return result;
}

/// The best translations of some sentences by random weights: the same batch three times, then another one; then all again in
/// batches that begin beside others.
template <class Dev>
std::vector<NBest> translated(const std::function<void(Dev&)>& prepare = {}) {
  constexpr std::size_t words = 40;
  Dev dev;
  if (prepare) prepare(dev);
  Model<Dev> model(dev, base_model(words, words, 0, true));
  initialise(dev, model.flat(), model.layout, {});
  SearchOptions options;
  options.beam_size = options.n_best = 3;
  options.decoding.length_extra = 5;
  options.batch_sentences = 4, options.parts = 2;
  Searcher<Dev> searcher(model.params, model.config, options);
  IdPairs pairs = made_pairs(5, words);
  for (Sentence& source : pairs.source) source.push_back(options.decoding.source_eos);
  const std::vector<Sentence> many(pairs.source.begin(), pairs.source.begin() + 3),
      few(pairs.source.begin() + 3, pairs.source.end());
  std::vector<NBest> all;
  for (const auto* batch : {&many, &many, &many, &few}) {
    for (NBest& best : searcher.search(dev, *batch)) all.push_back(std::move(best));
  }
  const std::vector<std::vector<std::size_t>> batches = search_batches(pairs.source, options, 1);
  BatchQueue queue(pairs.source, batches, alone());
  searcher.search(dev, queue, queue.places(1, options, model.config));
  for (std::vector<NBest>& results : queue.results()) {
    for (NBest& best : results) all.push_back(std::move(best));
  }
  return all;
}

}  // namespace gradus::test
