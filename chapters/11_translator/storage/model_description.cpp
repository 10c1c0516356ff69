#include "11_translator/storage/model_description.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gradus/io/safetensors_header.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

/// A size. ModelConfig::check() says whether a model can have it.
std::size_t size(const Json& json, const char* key) {
  const auto& value = json.at(key);
  if (!value.is_number_unsigned()) fail(std::string(key) + " is no size");
  return value.get<std::size_t>();
}

double rate(const Json& json, const char* key) {
  const double r = json.at(key);
  if (!(r >= 0 && r < 1)) fail(std::string(key) + " is out of range");
  return r;
}

Json config_json(const ModelConfig& c) {
  return {{"source_vocab", c.source_vocab},
          {"target_vocab", c.target_vocab},
          {"d_model", c.d_model},
          {"heads", c.heads},
          {"ffn", c.ffn},
          {"encoder_layers", c.encoder_layers},
          {"decoder_layers", c.decoder_layers},
          {"norm", name_of(c.norm)},
          {"activation", name_of(c.activation)},
          {"tying", name_of(c.tying)},
          {"attention_bias", c.attention_bias},
          {"scale_embedding", c.scale_embedding},
          {"max_length", c.max_length},
          {"embedding_rate", c.embedding_rate},
          {"attention_rate", c.attention_rate},
          {"activation_rate", c.activation_rate},
          {"residual_rate", c.residual_rate}};
}

ModelConfig config_of(const Json& json) {
  ModelConfig c;
  c.source_vocab = size(json, "source_vocab"), c.target_vocab = size(json, "target_vocab");
  c.d_model = size(json, "d_model"), c.heads = size(json, "heads"), c.ffn = size(json, "ffn");
  c.encoder_layers = size(json, "encoder_layers"), c.decoder_layers = size(json, "decoder_layers");
  c.norm = parse<Norm>(json.at("norm"));
  c.activation = parse<Activation>(json.at("activation"));
  c.tying = parse<Tying>(json.at("tying"));
  c.attention_bias = json.at("attention_bias"), c.scale_embedding = json.at("scale_embedding");
  c.max_length = size(json, "max_length");
  c.embedding_rate = rate(json, "embedding_rate"), c.attention_rate = rate(json, "attention_rate");
  c.activation_rate = rate(json, "activation_rate"), c.residual_rate = rate(json, "residual_rate");
  c.check();
  return c;
}

/// The name of one of our own files: a description from somewhere else shall not point anywhere else.
VocabularyFile vocabulary_of(const Json& json) {
  VocabularyFile v{json.at("file"), json.at("sha256")};
  const auto known = vocabulary_file_names();
  if (std::find(known.begin(), known.end(), v.file) == known.end())
    fail(gradus::quoted(v.file) + " is no name of a vocabulary");
  return v;
}

Json vocabulary_json(const VocabularyFile& v) { return {{"file", v.file}, {"sha256", v.sha256}}; }

ModelDescription description_of(const Json& json) {
  if (json.at("format") != "gradus translator 1") fail("an unknown format");
  const Json& tokenizer = json.at("tokenizer");
  ModelDescription d;
  d.config = config_of(json.at("model"));
  d.kind = parse<TokenizerKind>(tokenizer.at("kind"));
  d.lower_case = tokenizer.at("lower_case");
  d.source = vocabulary_of(tokenizer.at("source"));
  d.target = vocabulary_of(tokenizer.at("target"));
  if (d.source.file == d.target.file && d.source.sha256 != d.target.sha256)
    fail("one vocabulary has two checksums");
  if (d.config.tying == Tying::all && d.source.file != d.target.file)
    fail("all tables are tied, so there must be one vocabulary, not two");
  if (json.contains("weights")) d.weights_sha256 = json.at("weights").at("sha256");
  if (json.contains("unusual_below")) d.unusual_below = json.at("unusual_below").get<double>();
  d.notes = json.at("notes").dump();
  return d;
}

/// Foreign JSON, within bounds: its library looks keys up one by one, and writes nested values by recursion.
Json parsed(const std::string& text) {
  constexpr std::size_t longest = 65536;
  constexpr int deepest = 16;
  if (text.size() > longest) fail("too long for the description of a model");
  return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) fail("nested too deeply for the description of a model");
    return true;
  });
}

/// Runs `parse`, and says of anything that goes wrong in which file it did.
template <class Parse>
auto about(const std::string& origin, const Parse& parse) {
  try {
    return parse();
  } catch (const nlohmann::json::exception&) {
    fail(origin + ": this is not the description of a model");
  } catch (const Error& error) {
    fail(origin + ": " + error.what());
  }
}

}  // namespace

std::string to_json(const ModelConfig& config) { return config_json(config).dump(); }

ModelConfig config_from_json(const std::string& text, const std::string& origin) {
  return about(origin, [&] { return config_of(parsed(text)); });
}

std::string to_json(const ModelDescription& d) {
  Json json{{"format", "gradus translator 1"},
            {"model", config_json(d.config)},
            {"tokenizer",
             {{"kind", name_of(d.kind)},
              {"lower_case", d.lower_case},
              {"source", vocabulary_json(d.source)},
              {"target", vocabulary_json(d.target)}}}};
  if (!d.weights_sha256.empty()) json["weights"] = {{"sha256", d.weights_sha256}};
  json["notes"] = Json::parse(d.notes);
  if (d.unusual_below) json["unusual_below"] = *d.unusual_below;
  return json.dump(1) + "\n";
}

ModelDescription model_description(const std::string& text, const std::string& origin) {
  return about(origin, [&] { return description_of(parsed(text)); });
}

std::vector<std::string> vocabulary_file_names() {
  return {"subwords.model", "source.subwords.model", "target.subwords.model",
          "words.txt",      "source.words.txt",      "target.words.txt"};
}

}  // namespace gradus
