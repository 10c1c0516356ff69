// Many sentences: batches, threads, memory; and what a translation looked at.

#include "11_translator/cross_attention_weights.hpp"
#include "11_translator/search.hpp"
#include "chapters/11_translator/naive_search.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
using Dev = Cpu<double>;
}

TEST_CASE("translate_ids: any batches and any number of threads give the same answers in the given order") {
  Dice dice(3);
  Dev dev;
  const ModelConfig config = tiny_config(dice, 9, 9);
  const auto model = random_model(dev, config, dice);
  std::vector<Sentence> sources;
  for (int i = 0; i < 40; ++i) sources.push_back(random_sentence(dice, config.source_vocab, 10));
  SearchOptions o;
  o.width = 3;
  const auto translate = [&](std::size_t threads, std::size_t sentences, std::size_t tokens) {
    SearchOptions with = o;
    with.batch_sentences = sentences;
    with.batch_tokens = tokens;
    Workers workers(threads);
    return translate_ids<Dev>(workers, model->params, config, sources, with);
  };
  const std::vector<NBest> alone = translate(1, 1, 2048);
  for (const auto& [threads, sentences, tokens] :
       {std::array<std::size_t, 3>{1, 40, 2048}, {3, 7, 2048}, {2, 40, 20}, {8, 2, 2}}) {
    const std::vector<NBest> found = translate(threads, sentences, tokens);
    REQUIRE(found.size() == sources.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(same(found[i], alone[i]));
  }
  Workers workers(2);
  CHECK(translate_ids<Dev>(workers, model->params, config, {}, o).empty());
  CHECK_THROWS_WITH(translate_ids<Dev>(workers, model->params, config, {{4, 3}, {}}, o), contains("sentence 2"));
  CHECK_THROWS_WITH(translate_ids<Dev>(workers, model->params, config, {Sentence(13, 3)}, o),
                    contains("13 tokens"));
}

TEST_CASE("search batches: sorted by length, full but not too full, every sentence once") {
  std::vector<Sentence> sources;
  for (const std::size_t n : {3, 9, 1, 4, 4, 30, 2}) sources.emplace_back(n, 3);
  SearchOptions o;
  o.batch_sentences = 3;
  o.batch_tokens = 13;
  CHECK(search_batches(sources, o) == std::vector<std::vector<std::size_t>>{{5}, {1, 3}, {4, 0, 6}, {2}});
}

TEST_CASE("search: a searcher asks for no memory when a batch of the same size comes again") {
  Dice dice(11);
  Dev dev;
  const ModelConfig config = tiny_config(dice, 9, 9);
  const auto model = random_model(dev, config, dice);
  SearchOptions o;
  Searcher<Dev> searcher(model->params, config, o);
  const std::vector<Sentence> batch(20, Sentence{4, 4, 4, 3});
  const std::vector<NBest> first = searcher.search(dev, batch);
  searcher.search(dev, batch);
  const auto allocations = [&] { return dev.kept.allocations() + dev.scratch.allocations(); };
  const std::size_t before = allocations();
  const std::vector<NBest> again = searcher.search(dev, batch);
  CHECK(allocations() == before);
  for (std::size_t i = 0; i < batch.size(); ++i) CHECK(same(first[i], again[i]));
}

TEST_CASE(
    "cross attention weights: a row for each word and <eos>, each summing to 1, and those of the forward pass") {
  Dice dice(8);
  Dev dev;
  ModelConfig config = tiny_config(dice, 8, 8);
  config.heads = 2, config.d_model = 8, config.decoder_layers = 2;
  const auto model = random_model(dev, config, dice);
  const Sentence source{4, 4, 3}, words{5, 6, 7, 4};
  const auto before = dev.kept.mark();
  const AttentionWeights w = cross_attention_weights(dev, source, words, model->params, config);
  CHECK(dev.kept.mark().used == before.used);
  REQUIRE(w.values.size() == 2 * 2 * 5 * 3);
  for (std::size_t l = 0; l < 2; ++l) {
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t t = 0; t < 5; ++t)
        CHECK(w.at(l, h, t, 0) + w.at(l, h, t, 1) + w.at(l, h, t, 2) == Approx(1.0));
    }
  }
  const AttentionWeights shorter = cross_attention_weights(dev, source, {5, 6}, model->params, config);
  for (std::size_t l = 0; l < 2; ++l) {  // causal: the first rows do not depend on later words
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t s = 0; s < 3; ++s) CHECK(w.at(l, h, 2, s) == Approx(shorter.at(l, h, 2, s)));
    }
  }
  CHECK(w.at(0, 0, 1, 0) != w.at(0, 1, 1, 0));
  CHECK(w.at(0, 0, 1, 0) != w.at(1, 0, 1, 0));
}
