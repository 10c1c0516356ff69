#include <cmath>
#include <set>

#include "11_translator/search/search.hpp"
#include "chapters/11_translator/tiny_models.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/gpu/host/sanitizers.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr unsigned draws = gpu::host::is_watched ? 1 : 12;

/// Searches of one draw, all in one searcher: batches of several sizes, so that steps are recorded, replayed, and
/// recorded again.
template <class Dev>
std::vector<std::vector<NBest>> searches(unsigned seed) {
  Dice dice(seed);
  Dev dev;
  const auto model = random_model(dev, tiny_config(dice, 8, 12), dice);
  SearchOptions options;
  options.beam_size = dice.from(1, 4);
  options.n_best = options.beam_size;
  options.decoding.length_extra = 6;
  Searcher<Dev> searcher(model->params, model->config, options);
  std::vector<std::vector<NBest>> results;
  for (std::size_t batch = 0; batch < 3; ++batch) {
    std::vector<Sentence> sources;
    for (std::size_t n = dice.from(1, 4); n > 0; --n) {
      sources.push_back(random_sentence(dice, model->config.source_vocab, 7));
    }
    results.push_back(searcher.search(dev, sources));
    results.push_back(searcher.search(dev, sources));  // again, with sizes that were recorded
  }
  return results;
}

/// Two models of the same sizes take turns on one device, each time in a new searcher.
template <class Dev>
std::vector<NBest> by_two_models() {
  Dice dice(4);
  Dev dev;
  const ModelConfig config = tiny_config(dice, 8, 12);
  const auto one = random_model(dev, config, dice), other = random_model(dev, config, dice);
  const std::vector<Sentence> sources{random_sentence(dice, config.source_vocab, 7)};
  std::vector<NBest> results;
  for (int turn = 0; turn < 3; ++turn) {
    for (const auto* model : {one.get(), other.get()}) {
      results.push_back(Searcher<Dev>(model->params, config, {}).search(dev, sources).front());
    }
  }
  return results;
}

/// Many batches for several threads, each a third of what may be open. The last has fewer sentences.
template <class Dev>
std::vector<NBest> translated_by(std::size_t threads) {
  Dice dice(5);
  Dev dev;
  const auto model = random_model(dev, tiny_config(dice, 8, 12), dice);
  SearchOptions options;
  options.batch_sentences = 9, options.parts = 3;
  std::vector<Sentence> sources;
  for (std::size_t i = 0; i < 20; ++i) sources.push_back(random_sentence(dice, model->config.source_vocab, 7));
  Workers workers(threads);
  return translate_ids<Dev>(workers, model->params, model->config, sources, options);
}

}  // namespace

TEST_CASE("int8 on kernels: a GPU refuses weights of 8 bits") {
  Dice dice(1);
  Cuda<float> dev;
  const auto model = random_model(dev, tiny_config(dice, 8, 12), dice);
  CHECK_THROWS_WITH(model->freeze(dev, SearchWeights::int8), contains("need a processor"));
  CHECK(model->params.int8 == nullptr);
  const Int8Weights none;
  CHECK_THROWS_WITH(dev.use(&none), contains("need a processor"));
  CHECK_NOTHROW(dev.use(nullptr));
}

TEST_CASE("search: threads do not disturb each other where there is one stream") {
  gpu::host::protect_device_memory(false);
  const std::vector<NBest> expected = translated_by<Cpu<double>>(1), found = translated_by<Cuda<double>>(4);
  gpu::host::protect_device_memory(true);
  REQUIRE(found.size() == expected.size());
  std::set<double> scores;
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i][0].words == expected[i][0].words);
    CHECK(found[i][0].score == Approx(expected[i][0].score));
    scores.insert(expected[i][0].score);
  }
  CHECK(scores.size() > 15);  // so a mistake in the sentence would be seen
  CHECK(search_threads<Cuda<double>>(4) == 1);
  CHECK(search_threads<Cpu<double>>(4) == 4);
}

TEST_CASE("search: a searcher does not replay the recordings of another searcher on its device") {
  gpu::host::protect_device_memory(false);
  const std::vector<NBest> expected = by_two_models<Cpu<double>>(), found = by_two_models<Cuda<double>>();
  gpu::host::protect_device_memory(true);
  CHECK(expected[0][0].words != expected[1][0].words);
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i][0].words == expected[i][0].words);
}

TEST_CASE("search: on kernels it gives the same translations as on the processor") {
  gpu::host::protect_device_memory(false);  // the leaves and the models were judged with protection
  std::size_t translations = 0;
  for (unsigned seed = 0; seed < draws; ++seed) {
    const auto expected = searches<Cpu<double>>(seed), found = searches<Cuda<double>>(seed);
    REQUIRE(found.size() == expected.size());
    for (std::size_t b = 0; b < found.size(); ++b) {
      REQUIRE(found[b].size() == expected[b].size());
      for (std::size_t i = 0; i < found[b].size(); ++i) {
        REQUIRE(found[b][i].size() == expected[b][i].size());
        for (std::size_t k = 0; k < found[b][i].size(); ++k, ++translations) {
          INFO("draw " << seed << ", batch " << b << ", sentence " << i << ", place " << k);
          CHECK(found[b][i][k].words == expected[b][i][k].words);
          CHECK(std::abs(found[b][i][k].score - expected[b][i][k].score) <
                1e-12 * std::abs(expected[b][i][k].score));
        }
      }
    }
  }
  gpu::host::protect_device_memory(true);
  CHECK(translations > 8 * draws);
}
