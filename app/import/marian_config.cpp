#include "app/import/marian_config.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/import/model_rows.hpp"
#include "gradus/io/strict_json.hpp"
#include "gradus/text/specials.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

using PlainJson = nlohmann::json;

PlainJson object_of(std::string_view text, const std::string& name) {
  constexpr std::size_t deepest = 16;
  try {
    check_json(text, deepest);
  } catch (const Error& error) {
    fail(name + ": " + error.what());
  }
  PlainJson json = PlainJson::parse(text);
  if (!json.is_object()) fail(name + ": not an object of JSON");
  return json;
}

/// The fields of config.json, each checked when it is read.
class Fields {
 public:
  Fields(const PlainJson& json, const std::string& name) : json_(json), name_(name) {}

  [[noreturn]] void refuse(const char* field, const std::string& what) const {
    fail(name_ + ": " + field + " " + what);
  }

  std::size_t size(const char* field) const {
    const PlainJson& value = needed(field);
    if (!value.is_number_unsigned()) refuse(field, "is " + shown(value) + ", which is no whole number");
    return value.get<std::size_t>();
  }

  double rate(const char* field) const {
    const PlainJson value = json_.value(field, PlainJson(0.0));
    if (!value.is_number()) refuse(field, "is " + shown(value) + ", which is no rate");
    return value.get<double>();
  }

  bool flag(const char* field, bool otherwise) const {
    const PlainJson value = json_.value(field, PlainJson(otherwise));
    if (!value.is_boolean()) refuse(field, "is " + shown(value) + ", which is neither true nor false");
    return value.get<bool>();
  }

  std::string word(const char* field) const {
    const PlainJson& value = needed(field);
    if (!value.is_string()) refuse(field, "is " + shown(value) + ", which is no word");
    return value.get<std::string>();
  }

  /// A flag that must have this value; so it has if it is missing.
  void must_be(const char* field, bool wanted) const {
    if (flag(field, wanted) != wanted)
      refuse(field, std::string("is ") + (wanted ? "false" : "true") + "; such a model cannot be imported");
  }

  /// Two sizes that gradus has once.
  std::size_t equal(const char* field, const char* other) const {
    const std::size_t value = size(field);
    if (size(other) != value)
      refuse(other, "is " + std::to_string(size(other)) + ", but must be " + field + ", " + std::to_string(value));
    return value;
  }

 private:
  const PlainJson& needed(const char* field) const {
    if (!json_.contains(field)) refuse(field, "is missing");
    return json_.at(field);
  }
  static std::string shown(const PlainJson& value) {
    constexpr std::size_t most = 40;
    return value.is_structured() ? value.type_name() : printable(value.dump().substr(0, most));
  }

  const PlainJson& json_;
  const std::string& name_;
};

Activation activation_of(const Fields& fields) {
  const std::string name = fields.word("activation_function");
  if (name == "swish" || name == "silu") return Activation::swish;
  if (name == "relu") return Activation::relu;
  if (name == "gelu") return Activation::gelu;
  fields.refuse("activation_function", "is " + quoted(name) + ", but must be swish, silu, relu or gelu");
}

void check_architecture(const Fields& fields) {
  if (fields.word("model_type") != "marian")
    fields.refuse("model_type", "is " + quoted(fields.word("model_type")) + ", but must be marian");
  fields.must_be("is_encoder_decoder", true);
  fields.must_be("static_position_embeddings", true);
  fields.must_be("normalize_before", false);
  fields.must_be("normalize_embedding", false);
  fields.must_be("add_final_layer_norm", false);
  fields.must_be("share_encoder_decoder_embeddings", true);
}

ModelConfig model_of(const Fields& fields) {
  ModelConfig m;
  m.source_vocab = m.target_vocab = fields.size("vocab_size") + 1;
  m.d_model = fields.size("d_model");
  m.heads = fields.equal("encoder_attention_heads", "decoder_attention_heads");
  m.ffn = fields.equal("encoder_ffn_dim", "decoder_ffn_dim");
  m.encoder_layers = fields.size("encoder_layers"), m.decoder_layers = fields.size("decoder_layers");
  m.norm = Norm::post;
  m.activation = activation_of(fields);
  m.tying = fields.flag("tie_word_embeddings", true) ? Tying::all : Tying::none;
  m.attention_bias = m.output_bias = true;
  m.scale_embedding = fields.flag("scale_embedding", false);
  m.positions = Positions::halves;
  m.max_length = fields.size("max_position_embeddings");
  m.embedding_rate = m.residual_rate = fields.rate("dropout");
  m.attention_rate = fields.rate("attention_dropout"), m.activation_rate = fields.rate("activation_dropout");
  return m;
}

}  // namespace

MarianConfig parse_marian_config(std::string_view text, const std::string& name) {
  const PlainJson json = object_of(text, name);
  const Fields fields(json, name);
  check_architecture(fields);
  MarianConfig c;
  c.vocab = fields.size("vocab_size");
  if (c.vocab > ModelConfig::most_words) fields.refuse("vocab_size", "is " + std::to_string(c.vocab));
  if (json.contains("decoder_vocab_size") && !json.at("decoder_vocab_size").is_null())
    fields.equal("vocab_size", "decoder_vocab_size");
  c.model = model_of(fields);
  c.eos = fields.size("eos_token_id"), c.pad = fields.equal("pad_token_id", "decoder_start_token_id");
  try {
    c.model.check();
  } catch (const Error& error) {
    fail(name + ": " + error.what());
  }
  return c;
}

std::vector<std::string> parse_marian_vocabulary(std::string_view text, const std::string& name,
                                                 const MarianConfig& config) {
  const PlainJson json = object_of(text, name);
  if (json.size() != config.vocab)
    fail(name + ": " + std::to_string(json.size()) + " pieces, but vocab_size is " + std::to_string(config.vocab));
  std::vector<std::string> pieces(config.vocab);
  for (const auto& [piece, id] : json.items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= config.vocab)
      fail(name + ": the id of " + quoted(piece) + " is not one of 0 to " + std::to_string(config.vocab - 1));
    std::string& place = pieces[id.get<std::size_t>()];
    if (piece.empty() || !place.empty())
      fail(name + ": the id of " + quoted(piece) + " comes twice, or the piece is empty");
    place = piece;
  }
  const auto expect = [&](const char* piece, std::size_t id) {
    if (id >= pieces.size() || pieces[id] != piece)
      fail(name + ": the id of " + piece + " is not " + std::to_string(id) + ", as config.json says");
  };
  expect("</s>", config.eos), expect("<pad>", config.pad);
  if (std::find(pieces.begin(), pieces.end(), "<unk>") == pieces.end()) fail(name + ": <unk> is missing");
  return pieces;
}

std::vector<std::size_t> marian_rows(const std::vector<std::string>& pieces, const MarianConfig& config) {
  const auto unk = static_cast<std::size_t>(std::find(pieces.begin(), pieces.end(), "<unk>") - pieces.begin());
  constexpr Specials ours{};
  std::vector<std::size_t> rows(Specials::count, no_row);
  rows[ours.unk] = unk, rows[ours.bos] = config.pad, rows[ours.eos] = config.eos;
  for (std::size_t id = 0; id < pieces.size(); ++id) {
    if (id != unk && id != config.pad && id != config.eos) rows.push_back(id);
  }
  return rows;
}

}  // namespace gradus
