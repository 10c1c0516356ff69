#include <cmath>

#include "09_transformer/config_fields.hpp"
#include "09_transformer/model.hpp"
#include "support/names.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<double>;

ModelConfig valid() {
  ModelConfig c;
  c.source_vocab = 12, c.target_vocab = 14;
  return c;
}

template <class F>
std::string complaint(F&& change) {
  ModelConfig c = valid();
  change(c);
  try {
    c.check();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no complaint";
}

/// Counts up in each field and notes its name, so that a field that is shown twice, or not at all, is seen.
struct Counter {
  std::string names;

  void size(const char* name, const char*, std::size_t& value, std::size_t, std::size_t) { value += note(name); }
  void rate(const char* name, const char*, double& value) { value += note(name); }
  void epsilon(const char* name, double& value) { value += note(name); }
  template <class Enum>
  void word(const char* name, Enum& value) {
    value = static_cast<Enum>(static_cast<int>(value) + note(name));
  }
  void flag(const char* name, bool& value) { value = !value, note(name); }
  int note(const std::string& name) { return names += name + " ", 1; }
};

}  // namespace

TEST_CASE("config: the names of files and command lines") {
  check_names<Norm>({"pre", "post"});
  check_names<NormForm>({"layer"});
  check_names<Activation>({"relu", "gelu", "swish"});
  check_names<Tying>({"none", "output", "all"});
  check_names<Positions>({"sinusoids", "none", "halves", "marian"});
  check_names<DecoderUnit>({"attention", "ssru"});
}

TEST_CASE("config: every field is shown once, under the name that stored models have") {
  ModelConfig c{};
  const ModelConfig before{};
  Counter counter;
  each_field(c, counter);
  CHECK(counter.names ==
        "source_vocab target_vocab d_model heads ffn encoder_layers decoder_layers norm norm_form norm_epsilon "
        "activation tying "
        "attention_bias attention_output_bias output_bias scale_embedding positions decoder max_length "
        "embedding_rate "
        "attention_rate activation_rate residual_rate ");
  for (const auto size :
       {&ModelConfig::source_vocab, &ModelConfig::target_vocab, &ModelConfig::d_model, &ModelConfig::heads,
        &ModelConfig::ffn, &ModelConfig::encoder_layers, &ModelConfig::decoder_layers, &ModelConfig::max_length})
    CHECK(c.*size == before.*size + 1);
  for (const auto rate : {&ModelConfig::embedding_rate, &ModelConfig::attention_rate, &ModelConfig::activation_rate,
                          &ModelConfig::residual_rate})
    CHECK(c.*rate == before.*rate + 1);
  CHECK(c.norm_epsilon == before.norm_epsilon + 1);
  CHECK((c.norm == Norm::post && c.activation == Activation::gelu && c.tying == Tying::all));
  CHECK((c.positions == Positions::none && c.decoder_unit == DecoderUnit::ssru));
  for (const auto flag : {&ModelConfig::attention_bias, &ModelConfig::attention_output_bias,
                          &ModelConfig::output_bias, &ModelConfig::scale_embedding})
    CHECK(c.*flag != before.*flag);
}

TEST_CASE("config: a model that can be built passes, at the extremes too") {
  CHECK_NOTHROW(valid().check());
  ModelConfig c = valid();
  c.d_model = 2, c.heads = 2, c.ffn = 1, c.encoder_layers = c.decoder_layers = 1, c.max_length = 1;
  CHECK_NOTHROW(c.check());
}

TEST_CASE("config: an impossible model is refused in one line that says why") {
  CHECK(complaint([](auto& c) { c.d_model = 129, c.heads = 3; }) ==
        "d_model is 129, but must be even: a position is made of pairs of sine and cosine");
  CHECK(complaint([](auto& c) { c.d_model = c.heads = 2, c.positions = Positions::marian; }) ==
        "d_model is 2, but must be at least 4: the positions marian have two frequencies or more");
  CHECK(complaint([](auto& c) { c.heads = 3; }) == "d_model is 128, which 3 heads cannot share equally");
  CHECK(complaint([](auto& c) { c.heads = 0; }) == "heads is 0, but must be between 1 and 16384");
  CHECK(complaint([](auto& c) { c.d_model = 0; }) == "d_model is 0, but must be between 2 and 16384");
  CHECK(complaint([](auto& c) { c.ffn = 0; }) == "ffn is 0, but must be between 1 and 65536");
  CHECK_THAT(complaint([](auto& c) { c.encoder_layers = 0; }), contains("encoder layers is 0"));
  CHECK_THAT(complaint([](auto& c) { c.decoder_layers = 100000; }), contains("decoder layers is 100000"));
  CHECK_THAT(complaint([](auto& c) { c.source_vocab = 3; }), contains("source vocabulary's size is 3"));
  CHECK_THAT(complaint([](auto& c) { c.target_vocab = 0; }), contains("target vocabulary's size is 0"));
  CHECK_THAT(complaint([](auto& c) { c.max_length = 0; }), contains("max_length is 0"));
  CHECK_THAT(complaint([](auto& c) { c.tying = Tying::all; }), contains("one vocabulary for both languages"));
  CHECK_THAT(complaint([](auto& c) { c.embedding_rate = 1; }), contains("dropout rate embedding"));
  CHECK_THAT(complaint([](auto& c) { c.attention_rate = -0.1; }), contains("dropout rate attention"));
  CHECK_THAT(complaint([](auto& c) { c.activation_rate = std::nan(""); }), contains("dropout rate activation"));
  CHECK_THAT(complaint([](auto& c) { c.residual_rate = 2; }), contains("dropout rate residual"));
  for (const double epsilon : {0.0, 1.0, -1e-6, std::nan("")})
    CHECK_THAT(complaint([&](auto& c) { c.norm_epsilon = epsilon; }), contains("norm_epsilon is"));
}

TEST_CASE("config: a model cannot be made from an impossible one") {
  Dev dev;
  ModelConfig c = valid();
  c.heads = 5;
  CHECK_THROWS_AS(Model<Dev>(dev, c), UsageError);
}

TEST_CASE("model: tied tables are one slice, and a change of one is a change of all") {
  Dev dev;
  ModelConfig c = valid();
  c.source_vocab = 14;
  c.tying = Tying::all;
  const Model<Dev> all(dev, c);
  CHECK(all.params.output.table.data == all.params.source_embedding.data);
  CHECK(all.params.target_embedding.data == all.params.source_embedding.data);
  c.tying = Tying::output;
  const Model<Dev> output(dev, c);
  CHECK(output.params.output.table.data == output.params.target_embedding.data);
  CHECK(output.params.output.table.data != output.params.source_embedding.data);
  c.tying = Tying::none;
  const Model<Dev> none(dev, c);
  CHECK(none.params.output.table.data != none.params.target_embedding.data);
}

TEST_CASE("model: each norm has the epsilon of the model") {
  Dev dev;
  for (const Norm norm : {Norm::pre, Norm::post}) {
    ModelConfig c = valid();
    c.norm = norm, c.norm_epsilon = 1e-4;
    const Model<Dev> model(dev, c);
    const auto& p = model.params;
    if (norm == Norm::pre) CHECK((p.encoder.first_norm.epsilon == 1e-4 && p.decoder.first_norm.epsilon == 1e-4));
    for (const auto& layer : p.encoder.layers) {
      CHECK(layer.self_attention_norm.epsilon == 1e-4);
      CHECK(layer.feed_forward_norm.epsilon == 1e-4);
    }
    for (const auto& layer : p.decoder.layers) {
      CHECK(layer.self_attention_norm.epsilon == 1e-4);
      CHECK(layer.cross_attention_norm.epsilon == 1e-4);
      CHECK(layer.feed_forward_norm.epsilon == 1e-4);
    }
  }
}

TEST_CASE("model: a dropout site names one place of one layer") {
  const ModelConfig c = valid();
  CHECK(c.encoder().first_layer == 1);
  CHECK(c.decoder().first_layer == 5);
  CHECK(residual_dropout({c.encoder(), 3}, DropoutSite::after_feed_forward).site == 16 * 4 + 7);
  CHECK(attention_options({c.decoder(), 0}, DropoutSite::cross_attention_weights, false).dropout.site ==
        16 * 5 + 4);
  CHECK(feed_forward_options({c.decoder(), 1}).dropout.site == 16 * 6 + 6);
  CHECK(embed_options(c, Side::source).dropout.site == 0);
  CHECK(embed_options(c, Side::target).dropout.site == 1);
}

namespace {

/// Every field has a different value.
ModelConfig unequal() {
  ModelConfig c = valid();
  c.d_model = 12, c.heads = 3, c.ffn = 10;
  c.encoder_layers = 2, c.decoder_layers = 3;
  c.embedding_rate = 0.1, c.attention_rate = 0.2, c.activation_rate = 0.3, c.residual_rate = 0.4;
  c.decoder_unit = DecoderUnit::ssru;
  c.norm_epsilon = 1e-4;
  return c;
}

void expect_common(const StackOptions& o, const ModelConfig& c) {
  CHECK(o.d_model == c.d_model);
  CHECK(o.heads == c.heads);
  CHECK(o.ffn == c.ffn);
  CHECK(o.norm == c.norm);
  CHECK(o.norm_epsilon == c.norm_epsilon);
  CHECK(o.activation == c.activation);
  CHECK(o.decoder_unit == c.decoder_unit);
  CHECK(o.attention_bias.qkv == c.attention_bias);
  CHECK(o.attention_bias.output == (c.attention_bias || c.attention_output_bias));
  CHECK(o.attention_rate == c.attention_rate);
  CHECK(o.activation_rate == c.activation_rate);
  CHECK(o.residual_rate == c.residual_rate);
}

}  // namespace

TEST_CASE("model: either stack has its own depth and side, and everything else from the model") {
  for (const bool other : {false, true}) {
    ModelConfig c = unequal();
    if (other) c.norm = Norm::post, c.activation = Activation::gelu, c.attention_bias = true;
    expect_common(c.encoder(), c);
    expect_common(c.decoder(), c);
    CHECK(c.encoder().layers == 2);
    CHECK(c.decoder().layers == 3);
    CHECK(c.encoder().side == Side::source);
    CHECK(c.decoder().side == Side::target);
    CHECK(c.encoder().first_layer == 1);
    CHECK(c.decoder().first_layer == 3);
  }
}

TEST_CASE("model: each rate of dropout is that of its places, and of no others") {
  const ModelConfig c = unequal();
  for (const StackOptions& o : {c.encoder(), c.decoder()}) {
    CHECK(attention_options({o, 1}, DropoutSite::self_attention_weights, false).dropout.rate == 0.2);
    CHECK(attention_options({o, 1}, DropoutSite::cross_attention_weights, false).dropout.rate == 0.2);
    CHECK(feed_forward_options({o, 1}).dropout.rate == 0.3);
    CHECK(residual_dropout({o, 1}, DropoutSite::after_self_attention).rate == 0.4);
    CHECK(attention_options({o, 1}, DropoutSite::self_attention_weights, false).dropout.side == o.side);
    CHECK(feed_forward_options({o, 1}).dropout.side == o.side);
    CHECK(residual_dropout({o, 1}, DropoutSite::after_feed_forward).side == o.side);
  }
  for (const Side side : {Side::source, Side::target}) {
    CHECK(embed_options(c, side).dropout.rate == 0.1);
    CHECK(embed_options(c, side).dropout.side == side);
  }
}

TEST_CASE("model: the words of either side are scaled by sqrt(D), unless the model says otherwise") {
  ModelConfig c = unequal();
  for (const Side side : {Side::source, Side::target}) {
    c.scale_embedding = true;
    CHECK(embed_options(c, side).lookup.scale == std::sqrt(12.0));
    c.scale_embedding = false;
    CHECK(embed_options(c, side).lookup.scale == 1);
  }
}

TEST_CASE("model: without dropout it is the same model, and nothing is dropped") {
  ModelConfig c = unequal();
  c.norm = Norm::post, c.activation = Activation::gelu, c.attention_bias = true, c.scale_embedding = false;
  c.tying = Tying::none, c.max_length = 77;
  const ModelConfig inference = c.without_dropout();
  for (const double rate :
       {inference.embedding_rate, inference.attention_rate, inference.activation_rate, inference.residual_rate})
    CHECK(rate == 0);
  c.embedding_rate = c.attention_rate = c.activation_rate = c.residual_rate = 0;
  expect_common(inference.encoder(), c);
  CHECK(inference.decoder().layers == 3);
  CHECK(inference.encoder().layers == 2);
  CHECK(inference.tying == Tying::none);
  CHECK_FALSE(inference.scale_embedding);
  CHECK(inference.max_length == 77);
  CHECK((inference.source_vocab == 12 && inference.target_vocab == 14));
}
