// Trains the tiny model of the lessons and writes its weights, rounded to two decimals, to the file that the demos
// read.
//
//     gradus_tiny_training chapters/10_training/data/six_sentences.tsv chapters/00_foundations/tiny_weights.inc
//
// Rounding changes every weight by up to 0.005, so the model is tested after it: of several seeds, the program
// keeps the one whose rounded weights give the highest probabilities to its six translations.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "09_transformer/greedy.hpp"
#include "10_training/data/tiny_corpus.hpp"
#include "10_training/step/step.hpp"
#include "gradus/io/atomic_file.hpp"

using namespace gradus;

namespace {

using Dev = Cpu<double>;
constexpr std::uint32_t steps = 1500;
constexpr std::uint64_t seeds = 20;
constexpr double smoothing = 0.05;  // keeps the logits, and so the weights, small

std::vector<std::uint32_t> all_of(const IdPairs& pairs) {
  std::vector<std::uint32_t> all(pairs.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

void train(Model<Dev>& model, const TinyCorpus& corpus, std::uint64_t seed) {
  Dev dev;
  initialise(dev, model.flat(), model.layout, {Initialisation::xavier, 0, seed});
  Workers workers(1);
  OptimiserOptions optimiser;
  Corpus<Dev> pairs(dev, corpus.pairs, {});
  pairs.set_batches(dev, {all_of(corpus.pairs)});
  TrainingStep<Dev> step(model, pairs, 1, smoothing, optimiser, workers);
  for (std::uint32_t t = 1; t <= steps; ++t) {
    const double rate = 0.02 * std::min(t / 100.0, 1.0) * (1 - double(t - 1) / steps);
    step.run(0, {seed, t, rate});
  }
}

void round_weights(const Model<Dev>& model) {
  const auto w = model.flat();
  for (std::size_t i = 0; i < w.extent[0]; ++i) w[i] = std::round(w[i] * 100) / 100 + 0.0;  // turns -0 into 0
}

/// Whether greedy decoding gives all six translations.
bool is_right(const Model<Dev>& model, const TinyCorpus& corpus) {
  Dev dev;
  std::vector<Sentence> sources = corpus.pairs.source;
  for (Sentence& s : sources) s.push_back(Specials{}.eos);
  return greedy_decode(dev, sources, model.params, model.config) == corpus.pairs.target;
}

/// The smallest probability that the model gives to a target word.
double least_probability(const Model<Dev>& model, const TinyCorpus& corpus) {
  Dev dev;
  const HostBatch host = pack(all_of(corpus.pairs), corpus.pairs, {});
  DeviceBatch<Dev> batch;
  batch.load(dev, host);
  TransformerCache<Dev> cache;
  transformer_forward(dev, cache, batch.view(), model.params, model.config);
  double smallest = 1;
  for (std::size_t n = 0; n < host.target.size(); ++n) {
    const auto loss = dev.kept.vector(1);
    fill(dev, loss, 0);
    output_loss_value(dev, loss, rows(cache.output(), n, 1), model.params.output, slice(batch.view().target, n, 1),
                      0);
    smallest = std::min(smallest, std::exp(-loss[0]));
  }
  return smallest;
}

void write_weights(const std::string& path, const std::vector<double>& flat, const Layout& layout,
                   const std::string& how) {
  std::string text = "// Written by gradus_tiny_training (chapters/10_training/tiny_training.cpp): " + how + "\n";
  for (const Slice& s : layout.slices()) {
    const std::size_t rows = s.shape.size() == 1 ? 1 : s.shape[0];
    text += "{\"" + s.name + "\", " + std::to_string(rows) + ", " + std::to_string(s.size() / rows) + ", {";
    for (std::size_t i = 0; i < s.size(); ++i) {
      char number[32];
      std::snprintf(number, sizeof number, "%s%.4g", i == 0 ? "" : ", ", flat[s.offset + i]);
      text += number;
    }
    text += "}},\n";
  }
  write_atomically(path, text);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gradus_tiny_training SENTENCES.tsv WEIGHTS.inc\n");
    return 2;
  }
  const TinyCorpus corpus = load_tiny_corpus(argv[1]);
  Dev dev;
  Model<Dev> model(dev, tiny_config(corpus));
  std::vector<double> best;
  std::string how;
  double surest = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    train(model, corpus, seed);
    const double before = least_probability(model, corpus);
    round_weights(model);
    const double probability = least_probability(model, corpus);
    const bool right = is_right(model, corpus);
    std::printf("seed %2d: smallest probability of a word %.3f, rounded %.3f, %s\n", static_cast<int>(seed), before,
                probability, right ? "all six right" : "not all right");
    if (!right || probability <= surest) continue;
    surest = probability;
    read(dev, best, In<Dev, 1>(model.flat()));
    how = "seed " + std::to_string(seed) + ", " + std::to_string(steps) + " steps, rounded to two decimals.";
  }
  if (best.empty()) fail("no seed learnt the six sentences so well that rounding spares them");
  write_weights(argv[2], best, model.layout, how);
  return 0;
} catch (const Error& e) {
  std::fprintf(stderr, "gradus_tiny_training: %s\n", e.what());
  return 1;
}
