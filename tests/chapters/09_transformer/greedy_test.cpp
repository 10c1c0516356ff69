#include "09_transformer/greedy.hpp"

#include <cmath>
#include <random>

#include "09_transformer/model.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

ModelConfig config(Norm norm) {
  ModelConfig c;
  c.source_vocab = 9, c.target_vocab = 8;
  c.d_model = 6, c.heads = 2, c.ffn = 5, c.encoder_layers = 1, c.decoder_layers = 2;
  c.norm = norm, c.tying = Tying::none;
  c.output_bias = true;
  c.max_length = 30;
  c.residual_rate = 0.5;  // decoding has no dropout, whatever the rates of training
  return c;
}

template <class Dev>
struct RandomModel {
  Dev dev;
  Model<Dev> model;
  explicit RandomModel(std::uint64_t seed, Norm norm = Norm::pre) : model(dev, config(norm)) {
    initialise(dev, model.flat(), model.layout,
               {Initialisation::normal, 0.8, seed, TableInitialisation::scaled, true});
  }
  std::vector<Sentence> translate(const std::vector<Sentence>& sources, const DecodingOptions& o = {}) {
    return greedy_decode(dev, sources, model.params, model.config, o);
  }
};

std::vector<Sentence> random_sources(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 draw(seed);
  std::vector<Sentence> sources(count);
  for (Sentence& s : sources) {
    for (std::size_t n = draw() % 6; n > 0; --n) s.push_back(static_cast<std::int32_t>(4 + draw() % 5));
    s.push_back(3);
  }
  return sources;
}

/// The same rule, written out: one sentence, all logits, the largest one that is allowed.
Sentence by_hand(RandomModel<Reference<double>>& m, const Sentence& source, const DecodingOptions& o) {
  using Dev = Reference<double>;
  Sentence said;
  const ModelConfig inference = m.model.config.without_dropout();
  while (said.size() < longest_translation(source.size(), o, inference)) {
    m.dev.reset();
    Sentence input{2};
    input.insert(input.end(), said.begin(), said.end());
    const Batch<Dev> batch{on_device(m.dev, source),
                           on_device(m.dev, SegmentTable::packed({std::int32_t(source.size())})),
                           on_device(m.dev, input),
                           on_device(m.dev, SegmentTable::packed({std::int32_t(input.size())})),
                           {}};
    TransformerCache<Dev> c;
    transformer_forward(m.dev, c, batch, m.model.params, inference);
    const auto logits = m.dev.kept.matrix(input.size(), inference.target_vocab);
    output_forward(m.dev, logits, c.output(), m.model.params.output);
    std::int32_t best = 1;  // <unk>; <pad> and <bos> are never output, and <eos> is not the first word
    for (std::int32_t id = said.empty() ? 4 : 3; id < 8; ++id) {
      if (logits.row(input.size() - 1)[id] > logits.row(input.size() - 1)[best]) best = id;
    }
    if (best == 3) break;
    said.push_back(best);
  }
  return said;
}

}  // namespace

TEST_CASE("greedy: takes the most probable word at each step, for one sentence or many") {
  std::size_t ended = 0, cut = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Norm norm = seed % 2 == 0 ? Norm::pre : Norm::post;
    RandomModel<Reference<double>> reference(seed, norm);
    RandomModel<Cpu<double>> cpu(seed, norm);
    const std::vector<Sentence> sources = random_sources(seed, 4);
    const std::vector<Sentence> together = cpu.translate(sources);
    CHECK(reference.translate(sources) == together);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      CHECK(cpu.translate({sources[i]}) == std::vector<Sentence>{together[i]});
      CHECK(by_hand(reference, sources[i], {}) == together[i]);
      const bool full = together[i].size() == longest_translation(sources[i].size(), {}, cpu.model.config);
      (full ? cut : ended) += 1;
    }
  }
  CHECK(ended > 5);  // both ways to stop occurred
  CHECK(cut > 5);
}

TEST_CASE("greedy: an answer has no <pad>, <bos> or <eos>, even if the model prefers them") {
  RandomModel<Cpu<double>> m(3);
  for (const std::int32_t loud : {0, 2}) {
    for (std::size_t d = 0; d < 6; ++d) m.model.params.output.table.row(static_cast<std::size_t>(loud))[d] *= 50;
    for (const Sentence& s : m.translate(random_sources(1, 6))) {
      for (const std::int32_t id : s) CHECK((id == 1 || id >= 4));
    }
  }
}

TEST_CASE("greedy: no answer is longer than allowed, and the position table is never exceeded") {
  const ModelConfig c = config(Norm::pre);
  DecodingOptions o;
  CHECK(longest_translation(5, o, c) == 17);
  CHECK(longest_translation(100, o, c) == 30);  // the table's
  o.max_length = 12;
  CHECK(longest_translation(5, o, c) == 12);
  o.max_length = 0;
  CHECK(longest_translation(5, o, c) == 1);

  RandomModel<Cpu<double>> m(5);
  for (std::size_t d = 0; d < 6; ++d)
    m.model.params.output.table.row(3)[d] = 0;  // <eos> is never the most probable
  m.model.params.output.bias[3] = -9;
  o = {};
  o.length_extra = 1000;
  for (const Sentence& s : m.translate({{4, 5, 3}, {3}}, o)) CHECK(s.size() <= 30);
}

TEST_CASE("greedy: no sentences, and sentences of <eos> alone") {
  RandomModel<Cpu<double>> m(2);
  CHECK(m.translate({}).empty());
  CHECK(m.translate({{3}, {3}}).size() == 2);
}

TEST_CASE("greedy: gives back the memory that it takes, and allocates none the second time") {
  RandomModel<Cpu<float>> m(2);
  const std::vector<Sentence> sources = random_sources(2, 5);
  m.translate(sources);
  m.dev.reset();
  m.translate(sources);
  const std::size_t before = m.dev.kept.allocations() + m.dev.scratch.allocations();
  for (int i = 0; i < 3; ++i) m.translate(sources);
  CHECK(m.dev.kept.allocations() + m.dev.scratch.allocations() == before);
}

TEST_CASE("greedy: the memory of a step is given back before the next one") {
  const auto high_water = [](std::size_t words) {
    RandomModel<Cpu<double>> m(5);
    for (std::size_t d = 0; d < 6; ++d)
      m.model.params.output.table.row(3)[d] = 0;  // <eos> is never the most probable
    m.model.params.output.bias[3] = -9;
    DecodingOptions o;
    o.length_extra = 1000, o.max_length = words;
    CHECK(m.translate({{4, 5, 3}}, o)[0].size() == words);
    return m.dev.kept.high_water();
  };
  // the memory of a step of 30 rows; 30 steps would take ten times as much
  CHECK(high_water(30) < 3 * high_water(10));
}

TEST_CASE("greedy: other special ids are obeyed") {
  RandomModel<Cpu<double>> m(4);
  DecodingOptions o;
  o.specials = Specials{7, 1, 6, 5};
  for (const Sentence& s : m.translate(random_sources(3, 6), o)) {
    for (const std::int32_t id : s) CHECK((id < 5));
  }
}

TEST_CASE("greedy: a source without its end mark is refused") {
  RandomModel<Cpu<double>> m(5);
  CHECK_THROWS_WITH(m.translate({{4, 3}, {4, 5}}),
                    contains("sentence 2 does not end with the end mark <eos>, id 3"));
  CHECK_THROWS_WITH(m.translate({{}}), contains("sentence 1 does not end with the end mark"));
  DecodingOptions o;
  o.source_eos = 5;
  CHECK_THROWS_WITH(m.translate({{4, 3}}, o), contains("id 5"));
  CHECK(m.translate({{4, 5}}, o).size() == 1);
}
