// A search with weights of 8 bits.

#include <algorithm>
#include <limits>

#include "11_translator/search/search.hpp"
#include "chapters/11_translator/naive_search.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<float>;

std::vector<NBest> found(const Model<Dev>& model, const std::vector<Sentence>& sources, std::size_t threads) {
  SearchOptions o;
  o.beam_size = 3, o.batch_sentences = 4;
  Workers workers(threads);
  return translate_ids<Dev>(workers, model.params, model.config, sources, o);
}

std::vector<double> scores(const std::vector<NBest>& all) {
  std::vector<double> values;
  for (const NBest& n_best : all) values.push_back(n_best.front().score);
  return values;
}

/// The matrices of linear maps, and the output's table if no embedding shares it, are no numbers any more.
void spoil(const Model<Dev>& model) {
  for (const Slice& s : model.layout.slices()) {
    if (s.kind == Kind::weight || s.name == "output")
      std::fill_n(model.flat().data + s.offset, s.size(), std::numeric_limits<float>::quiet_NaN());
  }
}

}  // namespace

TEST_CASE("int8 search: every product of encoder, decoder and output layer takes the copies") {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Dice dice(seed);
    Dev dev;
    ModelConfig config = tiny_config(dice, 9, 9);
    config.tying = Tying::none;
    const auto model = random_model(dev, config, dice);
    std::vector<Sentence> sources;
    for (int i = 0; i < 10; ++i) sources.push_back(random_sentence(dice, config.source_vocab, 10));
    const std::vector<double> exact = scores(found(*model, sources, 1));
    model->freeze(dev, SearchWeights::int8);
    const std::vector<double> rounded = scores(found(*model, sources, 1));
    CHECK(rounded != exact);
    spoil(*model);
    CHECK(scores(found(*model, sources, 1)) == rounded);
    CHECK(scores(found(*model, sources, 3)) == rounded);
    model->params.int8 = nullptr;
    CHECK_THROWS_WITH(found(*model, sources, 1), contains("not a number"));
  }
}
