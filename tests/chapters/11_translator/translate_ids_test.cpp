// Many sentences: batches, threads, memory; and the attention of a translation.

#include "11_translator/search/search.hpp"
#include "11_translator/translator/attention_weights.hpp"
#include "11_translator/translator/translator_model.hpp"
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
  o.beam_size = 3;
  const auto translate = [&](std::size_t threads, std::size_t sentences, std::size_t tokens, std::size_t parts) {
    SearchOptions with = o;
    with.batch_sentences = sentences;
    with.batch_tokens = tokens;
    with.parts = parts;
    Workers workers(threads);
    return translate_ids<Dev>(workers, model->params, config, sources, with);
  };
  const std::vector<NBest> alone = translate(1, 1, 2048, 1);
  for (const auto& [threads, sentences, tokens, parts] : {std::array<std::size_t, 4>{1, 40, 2048, 1},
                                                          {3, 7, 2048, 1},
                                                          {2, 40, 20, 1},
                                                          {8, 2, 2, 1},
                                                          {1, 12, 2048, 4},
                                                          {3, 28, 2048, 4},
                                                          {2, 40, 80, 4},
                                                          {8, 2, 2, 2}}) {
    const std::vector<NBest> found = translate(threads, sentences, tokens, parts);
    REQUIRE(found.size() == sources.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(same(found[i], alone[i]));
  }
  Workers workers(2);
  CHECK(translate_ids<Dev>(workers, model->params, config, {}, o).empty());
  CHECK_THROWS_WITH(translate_ids<Dev>(workers, model->params, config, {{4, 3}, {}}, o), contains("sentence 2"));
  CHECK_THROWS_WITH(translate_ids<Dev>(workers, model->params, config, {Sentence(13, 3)}, o),
                    contains("13 tokens"));
  // a source without its end mark, alone and in a batch
  const std::vector<Sentence> without{{4, 3}, {5, 6, 3}, {7, 4}};
  const std::string complaint = "sentence 3 does not end with the end mark <eos>, id 3";
  CHECK_THROWS_WITH(translate_ids<Dev>(workers, model->params, config, without, o), contains(complaint));
  CHECK_THROWS_WITH(Searcher<Dev>(model->params, config, o).search(dev, without), contains(complaint));
  o.decoding.source_eos = 4;
  CHECK_THROWS_WITH(translate_ids<Dev>(workers, model->params, config, {{3, 4}, {4, 3}}, o),
                    contains("sentence 2 does not end with the end mark <eos>, id 4"));
  CHECK(translate_ids<Dev>(workers, model->params, config, {{3, 4}}, o).size() == 1);
}

TEST_CASE("translate_ids: a second call allocates nothing if it gets the memory of the first") {
  Dice dice(17);
  Dev dev;
  const ModelConfig config = tiny_config(dice, 9, 9);
  const auto model = random_model(dev, config, dice);
  const std::vector<Sentence> sources(50, Sentence{4, 5, 4, 3});
  Workers one(1);
  LentWorkspaces<Dev> lent;
  const auto translate = [&] {
    return translate_ids<Dev>(one, model->params, model->config, sources, {}, alone(), &lent);
  };
  const std::vector<NBest> first = translate(), second = translate();
  const std::size_t before = lent.allocations();
  REQUIRE(before >= 3);  // kept, scratch, and the searcher's own
  const std::vector<NBest> third = translate();
  CHECK(lent.allocations() == before);
  for (std::size_t i = 0; i < sources.size(); ++i) CHECK((same(first[i], second[i]) && same(first[i], third[i])));
}

namespace {

/// A processor that counts how often panels are made, and the choices of words with and without them.
struct Counting : Dev {
  static inline std::atomic<int> made{0}, with{0}, without{0};
};
In<Dev, 2> output_panels(Counting& dev, Workspace<double, Host>& memory, const OutputParams<Dev>& p) {
  ++Counting::made;
  return output_panels(static_cast<Dev&>(dev), memory, p);
}
void output_top_k(Counting& dev, Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> x,
                  const OutputParams<Dev>& p) {
  ++(p.panels ? Counting::with : Counting::without);
  output_top_k(static_cast<Dev&>(dev), scores, ids, x, p);
}

}  // namespace

TEST_CASE("translate_ids: a model without panels gets them once for all threads; they change no translation") {
  Dice dice(5);
  Dev dev;
  const ModelConfig config = tiny_config(dice, 9, 9);
  const auto model = random_model(dev, config, dice);
  SearchOptions o;
  o.beam_size = 2, o.batch_sentences = 2;
  std::vector<Sentence> sources;
  for (int i = 0; i < 20; ++i) sources.push_back(random_sentence(dice, config.source_vocab, 10));
  Workers workers(3);
  const std::vector<NBest> found = translate_ids<Counting>(workers, model->params, config, sources, o);
  CHECK(Counting::made == 1);
  CHECK(Counting::without == 0);
  CHECK(Counting::with > 0);
  CHECK_FALSE(model->params.output.panels);  // a training changes these weights
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(same(found[i], Searcher<Dev>(model->params, config, o).search(dev, {sources[i]})[0]));
  }
  model->freeze(dev);
  translate_ids<Counting>(workers, model->params, config, sources, o);
  CHECK(Counting::made == 1);
  CHECK(Counting::without == 0);
}

TEST_CASE("search: one long sentence with a translation of one word has room for its tables") {
  Dice dice(12);
  Dev dev;
  ModelConfig config = tiny_config(dice, 9, 9);
  config.max_length = 50;
  const auto model = random_model(dev, config, dice);
  SearchOptions o;
  o.beam_size = 1;
  o.decoding.max_length = 1;
  Sentence source(49, 4);
  source.push_back(3);
  const std::vector<NBest> found = Searcher<Dev>(model->params, config, o).search(dev, {source});
  CHECK(found[0][0].log_probs.size() == 1);
}

TEST_CASE("search: a second batch of the same size allocates no memory") {
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

namespace {

/// Every row of every map sums to 1.
void check_sums(const AttentionMaps& m) {
  REQUIRE(m.weights.size() == m.layers * m.heads * m.rows.size() * m.columns.size());
  for (std::size_t row = 0; row < m.weights.size() / m.columns.size(); ++row) {
    double sum = 0;
    for (std::size_t s = 0; s < m.columns.size(); ++s) sum += m.weights[row * m.columns.size() + s];
    CHECK(sum == Approx(1.0));
  }
}

}  // namespace

TEST_CASE(
    "attention of a translation: all layers and heads of all three kinds, words on both axes, as in the forward "
    "pass") {
  Dice dice(8);
  Dev dev;
  ModelConfig config = tiny_config(dice, 8, 8);
  config.heads = 2, config.d_model = 8, config.encoder_layers = 3, config.decoder_layers = 2;
  config.decoder_unit = DecoderUnit::attention;
  const auto model = random_model(dev, config, dice);
  const Sentence source{4, 4, 3}, words{5, 6, 7, 4, 3};
  const PieceNames names{[](std::int32_t id) { return "s" + std::to_string(id); },
                         [](std::int32_t id) { return "t" + std::to_string(id); }};
  const auto before = dev.kept.mark();
  const auto weights = [&](const Sentence& output) {
    return attention_record(dev, source, output, model->params, config, names);
  };
  const AttentionRecord r = weights(words);
  CHECK(dev.kept.mark().used == before.used);
  const std::vector<std::string> from{"s4", "s4", "s3"}, to{"t5", "t6", "t7", "t4", "t3"},
      read_so_far{"t2", "t5", "t6", "t7", "t4"};
  CHECK(r.encoder.layers == 3);
  CHECK(r.encoder.rows == from);
  CHECK(r.encoder.columns == from);
  CHECK(r.decoder.layers == 2);
  CHECK(r.decoder.rows == to);
  CHECK(r.decoder.columns == read_so_far);
  CHECK(r.cross.heads == 2);
  CHECK(r.cross.rows == to);
  CHECK(r.cross.columns == from);
  for (const AttentionMaps* m : {&r.encoder, &r.decoder, &r.cross}) check_sums(*m);

  const AttentionRecord shorter = weights({5, 6, 3});
  CHECK(shorter.encoder.weights == r.encoder.weights);
  for (std::size_t l = 0; l < 2; ++l) {  // causal: the first rows neither depend on later words nor attend to them
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t s = 0; s < 3; ++s) {
        CHECK(r.cross.at(l, h, 2, s) == Approx(shorter.cross.at(l, h, 2, s)));
        CHECK(r.decoder.at(l, h, 2, s) == Approx(shorter.decoder.at(l, h, 2, s)));
      }
      for (std::size_t t = 0; t < 5; ++t) {
        for (std::size_t s = 0; s < 5; ++s) CHECK((r.decoder.at(l, h, t, s) > 0) == (s <= t));
      }
    }
  }
  // Each layer and head has its own number: the maps equal the caches of a forward pass
  for (const AttentionMaps* m : {&r.encoder, &r.decoder, &r.cross}) {
    CHECK(m->at(0, 0, 1, 0) != m->at(0, 1, 1, 0));
    CHECK(m->at(0, 0, 1, 0) != m->at(1, 0, 1, 0));
  }
  TransformerCache<Dev> c;
  const auto sources = on_device(dev, SegmentTable::packed({3}));
  encode(dev, c, on_device(dev, source), sources, model->params, config.without_dropout());
  const auto saved = c.encoder.layers[2].self_attention.attention.weights;
  for (std::size_t t = 0; t < 3; ++t) {
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t s = 0; s < 3; ++s) CHECK(r.encoder.at(2, h, t, s) == Approx(saved.row(t * 2 + h)[s]));
    }
  }
}
