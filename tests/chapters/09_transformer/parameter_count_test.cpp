// How many parameters a model has, and which of them decay.

#include "09_transformer/model.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

ModelConfig of_few_words() {
  ModelConfig c;
  c.source_vocab = 12, c.target_vocab = 14;
  return c;
}

}  // namespace

TEST_CASE("model: the layout holds as many parameters as the formula says") {
  for (const Tying tying : {Tying::none, Tying::output, Tying::all}) {
    for (const Norm norm : {Norm::pre, Norm::post}) {
      for (const bool bias : {false, true}) {
        for (const DecoderUnit unit : {DecoderUnit::attention, DecoderUnit::ssru}) {
          ModelConfig c = of_few_words();
          c.decoder_unit = unit;
          c.d_model = 8, c.heads = 2, c.ffn = 12, c.encoder_layers = 3, c.decoder_layers = 2;
          c.tying = tying, c.norm = norm, c.attention_bias = c.output_bias = bias;
          if (tying == Tying::all) c.source_vocab = c.target_vocab;
          CHECK(transformer_layout<Cpu<double>>(c).size() == parameter_count(c));
        }
      }
    }
  }
}

// 37,000 x 512 for the joint table; 4 x 512^2 for each attention, 2 x 512 x 2048 + 2560 for each feed-forward
// network, 1024 for each norm.
TEST_CASE("model: the paper's base model has the 63 million parameters that one counts by hand") {
  ModelConfig c;
  c.source_vocab = c.target_vocab = 37000;
  c.d_model = 512, c.heads = 8, c.ffn = 2048, c.encoder_layers = c.decoder_layers = 6;
  c.norm = Norm::post;
  c.tying = Tying::all;
  CHECK(parameter_count(c) == 18944000 + 6 * (1048576 + 2099712 + 2048) + 6 * (2 * 1048576 + 2099712 + 3072));
  CHECK(parameter_count(c) == 63045632);
}

// hyunwoongko's Transformer publishes this number; its table of positions is no parameter there either.
TEST_CASE("model: a published count of parameters, with biases everywhere") {
  ModelConfig c;
  c.source_vocab = 5893, c.target_vocab = 7855;
  c.d_model = 512, c.heads = 8, c.ffn = 2048, c.encoder_layers = c.decoder_layers = 6;
  c.norm = Norm::post;
  c.tying = Tying::none;
  c.attention_bias = c.output_bias = true;
  CHECK(parameter_count(c) == 55207087);
  c.output_bias = false;
  CHECK(parameter_count(c) == 55207087 - 7855);
}

TEST_CASE("model: a bias after W_O alone is one vector for each attention") {
  ModelConfig c = of_few_words();
  const std::size_t without = parameter_count(c);
  c.attention_output_bias = true;
  CHECK(parameter_count(c) == without + (c.encoder_layers + 2 * c.decoder_layers) * c.d_model);
  CHECK(transformer_layout<Cpu<double>>(c).size() == parameter_count(c));
}

TEST_CASE("model: an SSRU has two matrices and one vector where self-attention has four matrices") {
  ModelConfig c = of_few_words();
  const std::size_t D = c.d_model, with_attention = parameter_count(c);
  c.decoder_unit = DecoderUnit::ssru;
  CHECK(parameter_count(c) == with_attention - c.decoder_layers * (4 * D * D) + c.decoder_layers * (2 * D * D + D));
  const Layout layout = transformer_layout<Cpu<double>>(c);
  CHECK(layout.find("decoder.0.ssru.input.w").shape == std::vector<std::size_t>{D, D});
  CHECK(layout.find("decoder.0.ssru.forget.b").shape == std::vector<std::size_t>{D});
  CHECK(layout.find("decoder.0.ssru_norm.gamma").shape == std::vector<std::size_t>{D});
  for (const Slice& s : layout.slices()) CHECK(s.name.find("decoder.0.self_attention") == std::string::npos);
}

TEST_CASE("model: matrices decay; tables, norms and biases stand behind them and do not") {
  ModelConfig c = of_few_words();
  c.attention_bias = c.output_bias = true;
  for (const DecoderUnit unit : {DecoderUnit::attention, DecoderUnit::ssru}) {
    c.decoder_unit = unit;
    const Layout layout = transformer_layout<Cpu<double>>(c);
    for (const Slice& s : layout.slices()) {
      const bool is_map = s.name.find(".w") != std::string::npos;  // wqkv, wo, inner.w, outer.w, input.w, forget.w
      INFO(s.name);
      CHECK((s.offset < layout.decaying()) == is_map);
    }
  }
}
