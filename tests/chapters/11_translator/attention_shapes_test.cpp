// Attention of a model in which no two sizes are equal: 2 heads, 3 layers of the decoder, 5 of the encoder. So nothing can stand for
// another, as layers for heads could in the bundled models, which have four of each.
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "09_transformer/model.hpp"
#include "11_translator/pictures/attention_page.hpp"
#include "11_translator/storage/model_files.hpp"
#include "app/serve/translate_answer.hpp"
#include "gradus/device/device.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Random weights, but the last layers of encoder and decoder have queries of 0: all keys get equal weights there, and only there.
ModelFiles unequal_model() {
  ModelFiles m{{}, {}, learn_tokenizers({"a b c d e"}, {"v w x y z"}, {TokenizerKind::word, 0, 1, {}}, false)};
  ModelConfig& c = m.config;
  c.source_vocab = m.tokenizers.source.size(), c.target_vocab = m.tokenizers.target.size();
  c.d_model = 14, c.heads = 2, c.ffn = 11, c.encoder_layers = 5, c.decoder_layers = 3;
  c.tying = Tying::none;
  const Layout layout = transformer_layout<Cpu<float>>(c);
  std::mt19937 draw(17);
  std::normal_distribution<float> normal(0, 0.7F);
  for (std::size_t i = 0; i < layout.size(); ++i) m.weights.push_back(normal(draw));
  for (const char* name :
       {"encoder.4.self_attention.wqkv", "decoder.2.self_attention.wqkv", "decoder.2.cross_attention.wqkv"}) {
    const Slice& slice = layout.find(name);
    REQUIRE(slice.shape == std::vector<std::size_t>{14, 3 * 14});
    for (std::size_t row = 0; row < 14; ++row)
      for (std::size_t column = 0; column < 14; ++column) m.weights[slice.offset + row * 3 * 14 + column] = 0;
  }
  return m;
}

/// Whether each visible key of every row has the same weight. `sees(t)` is the number of keys that row t sees.
template <class Sees>
bool is_uniform(const AttentionMaps& m, std::size_t layer, const Sees& sees) {
  double greatest = 0;
  for (std::size_t h = 0; h < m.heads; ++h) {
    for (std::size_t t = 0; t < m.rows.size(); ++t) {
      for (std::size_t s = 0; s < sees(t); ++s)
        greatest = std::max(greatest, std::abs(m.at(layer, h, t, s) - 1.0 / static_cast<double>(sees(t))));
    }
  }
  return greatest < 1e-6;
}

}  // namespace

TEST_CASE("attention: layers, heads, rows and columns are the model's, and the last layer is the last one") {
  const Translator translator = Translator::of(unequal_model());
  const AttentionRecord r = translator.attention("a b c e d a b");
  CHECK(r.encoder.layers == 5);
  CHECK(r.decoder.layers == 3);
  CHECK(r.cross.layers == 3);
  for (const AttentionMaps* m : {&r.encoder, &r.decoder, &r.cross}) CHECK(m->heads == 2);
  CHECK(r.encoder.columns == std::vector<std::string>{"a", "b", "c", "e", "d", "a", "b", "<eos>"});
  CHECK(r.encoder.rows == r.encoder.columns);
  CHECK(r.cross.columns == r.encoder.columns);
  CHECK(r.decoder.rows == r.cross.rows);
  const auto all = [&](std::size_t) { return r.encoder.columns.size(); };
  const auto before = [](std::size_t t) { return t + 1; };
  for (std::size_t layer = 0; layer < 5; ++layer) CHECK(is_uniform(r.encoder, layer, all) == (layer == 4));
  for (std::size_t layer = 0; layer < 3; ++layer) {
    CHECK(is_uniform(r.cross, layer, all) == (layer == 2));
    CHECK(is_uniform(r.decoder, layer, before) == (layer == 2));
  }
  CHECK(attention_text(r).find("cross-attention, layer 3, mean of 2 heads") != std::string::npos);
}

TEST_CASE("serve: attention has a table for each layer and head, and the mean is that of the last layer") {
  const Translator translator = Translator::of(unequal_model());
  TranslateQuery query;
  query.lines = {"a b c e d a b"};
  query.options.attention = true;
  const auto answer = nlohmann::json::parse(translate_answer(translator, query, "up"));
  const auto& shown = answer.at("sentences").at(0).at("attention");
  TranslateOptions options;
  options.beam_size = query.options.search.beam_size;
  const AttentionMaps maps = translator.attention(query.lines[0], options).cross;
  CHECK(shown.at("layers") == 3);
  CHECK(shown.at("heads") == 2);
  REQUIRE(shown.at("weights").size() == 3);
  REQUIRE(shown.at("mean").size() == maps.rows.size());
  REQUIRE(shown.at("mean")[0].size() == 8);
  for (std::size_t layer = 0; layer < 3; ++layer) {
    REQUIRE(shown.at("weights")[layer].size() == 2);
    for (std::size_t head = 0; head < 2; ++head) {
      REQUIRE(shown.at("weights")[layer][head].size() == maps.rows.size());
      for (std::size_t t = 0; t < maps.rows.size(); ++t) {
        for (std::size_t s = 0; s < 8; ++s)
          CHECK(shown.at("weights")[layer][head][t][s].get<double>() ==
                Approx(maps.at(layer, head, t, s)).margin(6e-4));
      }
    }
  }
  for (const auto& row : shown.at("mean"))
    for (const auto& weight : row) CHECK(weight == 0.125);
}
