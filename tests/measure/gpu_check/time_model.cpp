/// \file
/// Times whole training steps and whole translations.

#include "10_training/step/step.hpp"
#include "11_translator/search/search.hpp"
#include "measure/gpu_check/corpus.hpp"
#include "measure/gpu_check/early_starts.hpp"
#include "measure/gpu_check/timing.hpp"

namespace gradus::test {
namespace {

using Dev = Cuda<float>;

/// A model with random weights.
struct Fresh {
  Dev dev;
  Model<Dev> model;

  explicit Fresh(const ModelConfig& config) : model(dev, config) {
    initialise(dev, model.flat(), model.layout, {});
  }
};

/// One step on each of the batches, recorded and replayed.
Timing time_step(const Stopwatch& watch, const ModelConfig& config, const IdPairs& pairs, const BatchList& batches,
                 std::size_t tokens, Products products) {
  OptimiserOptions optimiser;
  optimiser.adam.update.clip = 1;
  Fresh fresh(config);
  Workers one(1);
  Corpus<Dev> corpus(fresh.dev, pairs, {});
  corpus.set_batches(fresh.dev, batches);
  TrainingStep<Dev> step(fresh.model, corpus, 1, 0.1, optimiser, one, batch_capacity(pairs, {tokens, 0}));
  step.slot(0).dev.products = products;
  std::uint32_t number = 0;
  const auto all = [&] {
    for (std::size_t k = 0; k < batches.size(); ++k) step.start(k, {1, ++number, 1e-4});
    if (step.results(1).front().failed_step != 0) fail("the gradient of a timed step is not finite");
  };
  return watch.time(all, batches.size());
}

void add_step(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& config, const IdPairs& pairs,
              TimingTable& table, std::size_t tokens, Products products, const std::string& name) {
  const BatchList batches = batches_in_order(pairs, tokens, sizes.batches);
  double words = 0;
  for (const auto& batch : batches) words += static_cast<double>(batch_size(batch, pairs).target_rows);
  table.add(
      "step, " + std::to_string(tokens) + " tokens, " + name,
      [&] { return time_step(watch, config, pairs, batches, tokens, products); },
      words / static_cast<double>(batches.size()), "target tokens/s");
}

}  // namespace

void time_steps(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& config, const IdPairs& pairs,
                TimingTable& table) {
  for (const std::size_t tokens : sizes.tokens) {
    for (const Products products : {Products::exact, Products::tf32, Products::bf16})
      add_step(watch, sizes, config, pairs, table, tokens, products, name_of(products));
  }
}

void time_early_starts(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& config,
                       const IdPairs& pairs, TimingTable& table) {
  const EarlyStarts early;
  const std::string name = gpu::starts_early() ? "tf32, early starts" : "tf32, early starts refused";
  for (const std::size_t tokens : sizes.tokens)
    add_step(watch, sizes, config, pairs, table, tokens, Products::tf32, name);
}

/// Random weights never end a sentence, so all translations get 15 words.
void time_translation(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& config,
                      const IdPairs& pairs, TimingTable& table) {
  Fresh fresh(config);
  std::vector<Sentence> sources(pairs.source.begin(), pairs.source.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                                 sizes.sentences, pairs.size())));
  for (Sentence& s : sources) s.push_back(SentenceMarks{}.source_eos);
  for (const std::size_t together : sizes.search_batches) {
    for (const std::size_t width : {std::size_t{1}, std::size_t{5}}) {
      SearchOptions options;
      options.beam_size = width;
      options.batch_sentences = together;
      options.batch_tokens = 32 * together;
      options.decoding.length_factor = 0;
      options.decoding.length_extra = sizes.is_tiny ? 3 : 15;
      Workers one(1);
      const auto all = [&] { translate_ids<Dev>(one, fresh.model.params, config, sources, options); };
      table.add(
          "translation, beam " + std::to_string(width) + ", " + std::to_string(together) + " sentences together",
          [&] { return watch.time(all); }, static_cast<double>(sources.size()), "sentences/s");
    }
  }
}

}  // namespace gradus::test
