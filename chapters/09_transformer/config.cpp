#include "09_transformer/config.hpp"

#include "09_transformer/config_fields.hpp"

namespace gradus {
namespace {

void usage(bool fits, const std::string& message) {
  if (!fits) throw UsageError(message);
}

/// Checks that a size is between `smallest` and `largest`; a larger one is a typing mistake, or damage in a file.
void check_size(const std::string& name, std::size_t value, std::size_t smallest, std::size_t largest) {
  usage(value >= smallest && value <= largest, name + " is " + std::to_string(value) + ", but must be between " +
                                                   std::to_string(smallest) + " and " + std::to_string(largest));
}

void check_rate(const char* name, double rate) {
  usage(rate >= 0 && rate < 1,
        std::string("the dropout rate ") + name + " is " + std::to_string(rate) + ", but must be in [0, 1)");
}

/// Compares each field with what it may be.
struct FieldCheck {
  ModelConfig::NameOf name_of;

  void size(const char*, const char* label, std::size_t value, std::size_t least, std::size_t most) const {
    check_size(name_of(label), value, least, most);
  }
  void rate(const char*, const char* label, double value) const { check_rate(label, value); }
  void epsilon(const char* name, double value) const {
    usage(value > 0 && value < 1,
          std::string(name) + " is " + std::to_string(value) + ", but must be above 0 and below 1");
  }
  template <class Enum>
  void word(const char*, Enum) const {}
  void flag(const char*, bool) const {}
};

StackOptions stack(const ModelConfig& c, std::size_t layers, Side side, std::size_t first_layer) {
  StackOptions o;
  o.layers = layers;
  o.d_model = c.d_model;
  o.heads = c.heads;
  o.ffn = c.ffn;
  o.norm = c.norm;
  o.norm_form = c.norm_form;
  o.norm_epsilon = c.norm_epsilon;
  o.activation = c.activation;
  o.decoder_unit = c.decoder_unit;
  o.attention_bias = {c.attention_bias, c.attention_bias || c.attention_output_bias};
  o.attention_rate = c.attention_rate;
  o.activation_rate = c.activation_rate;
  o.residual_rate = c.residual_rate;
  o.side = side;
  o.first_layer = first_layer;
  return o;
}

}  // namespace

void ModelConfig::check(NameOf name_of) const {
  each_field(*this, FieldCheck{name_of});
  const std::string width = name_of("d_model") + " is " + std::to_string(d_model);
  usage(d_model % 2 == 0 || positions == Positions::none,
        width + ", but must be even: a position is made of pairs of sine and cosine");
  usage(d_model > 2 || positions != Positions::marian,
        width + ", but must be at least 4: the positions marian have two frequencies or more");
  usage(d_model % heads == 0, width + ", which " + std::to_string(heads) + " heads cannot share equally");
  usage(tying != Tying::all || source_vocab == target_vocab,
        "tying all tables needs one vocabulary for both languages, not " + std::to_string(source_vocab) + " and " +
            std::to_string(target_vocab) + " words");
}

ModelConfig ModelConfig::without_dropout() const {
  ModelConfig c = *this;
  c.embedding_rate = c.attention_rate = c.activation_rate = c.residual_rate = 0;
  return c;
}

StackOptions ModelConfig::encoder() const { return stack(*this, encoder_layers, Side::source, 1); }

StackOptions ModelConfig::decoder() const { return stack(*this, decoder_layers, Side::target, 1 + encoder_layers); }

std::size_t parameter_count(const ModelConfig& c) {
  const std::size_t D = c.d_model, F = c.ffn;
  const AttentionBias& bias = c.encoder().attention_bias;
  const std::size_t attention = 4 * D * D + (bias.qkv ? 3 * D : 0) + (bias.output ? D : 0);
  const std::size_t earlier_words = c.decoder_unit == DecoderUnit::ssru ? 2 * D * D + D : attention;
  const std::size_t feed_forward = D * F + F + F * D + D, norm = has_beta(c.norm_form) ? 2 * D : D;
  const std::size_t encoder = c.encoder_layers * (attention + feed_forward + 2 * norm);
  const std::size_t decoder = c.decoder_layers * (earlier_words + attention + feed_forward + 3 * norm);
  const std::size_t first_norms = c.norm == Norm::pre ? 2 * norm : 0;
  const std::size_t source = c.source_vocab * D, target = c.target_vocab * D;
  const std::size_t tables = c.tying == Tying::all      ? source
                             : c.tying == Tying::output ? source + target
                                                        : source + 2 * target;
  const std::size_t output_bias = c.output_bias ? c.target_vocab : 0;
  return tables + output_bias + encoder + decoder + first_norms;  // eq:9.4
}

}  // namespace gradus
