#include "11_translator/model_files.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "09_transformer/model.hpp"
#include "10_training/checkpoint.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/safetensors.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/sha256.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* norms[] = {"pre", "post"};
constexpr const char* activations[] = {"relu", "gelu"};
constexpr const char* tyings[] = {"none", "output", "all"};

/// A word of a small set, as its number.
template <class Enum, std::size_t N>
Enum choice(const Json& json, const char* key, const char* const (&names)[N]) {
  const auto word = json.at(key).get<std::string>();
  for (std::size_t i = 0; i < N; ++i) {
    if (word == names[i]) return static_cast<Enum>(i);
  }
  fail(std::string(key) + " '" + word + "' is unknown");
}

/// A size that a model could have: larger ones in a file are damage.
std::size_t size(const Json& json, const char* key, std::uint64_t most) {
  const auto& value = json.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) fail(std::string(key) + " is out of range");
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
          {"norm", norms[static_cast<int>(c.norm)]},
          {"activation", activations[static_cast<int>(c.activation)]},
          {"tying", tyings[static_cast<int>(c.tying)]},
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
  c.source_vocab = size(json, "source_vocab", 1'000'000), c.target_vocab = size(json, "target_vocab", 1'000'000);
  c.d_model = size(json, "d_model", 16384), c.heads = size(json, "heads", 16384), c.ffn = size(json, "ffn", 65536);
  c.encoder_layers = size(json, "encoder_layers", 256), c.decoder_layers = size(json, "decoder_layers", 256);
  c.norm = choice<Norm>(json, "norm", norms);
  c.activation = choice<Activation>(json, "activation", activations);
  c.tying = choice<Tying>(json, "tying", tyings);
  c.attention_bias = json.at("attention_bias"), c.scale_embedding = json.at("scale_embedding");
  c.max_length = size(json, "max_length", 65536);
  c.embedding_rate = rate(json, "embedding_rate"), c.attention_rate = rate(json, "attention_rate");
  c.activation_rate = rate(json, "activation_rate"), c.residual_rate = rate(json, "residual_rate");
  c.check();
  return c;
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
  return about(origin, [&] { return config_of(Json::parse(text)); });
}

void save_model(const std::string& folder, const ModelFiles& model) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(folder + ": cannot make this folder: " + error.message());
  const Layout layout = transformer_layout<Cpu<float>>(model.config);
  std::vector<TensorToStore> tensors;
  for (const Slice& s : layout.slices()) {
    tensors.push_back({s.name, s.shape, StoredType::F16, model.weights.data() + s.offset});
  }
  const Json description{{"format", "gradus translator 1"},
                         {"model", config_json(model.config)},
                         {"subwords_sha256", sha256(model.subword_bytes)},
                         {"notes", Json::parse(model.notes)}};
  write_atomically(folder + "/subwords.model", model.subword_bytes);
  write_safetensors(folder + "/weights.safetensors", tensors);
  write_atomically(folder + "/model.json", description.dump(1) + "\n");
}

ModelFiles load_model(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) fail(folder + ": there is no such folder, so no model in it");
  const std::string path = folder + "/model.json";
  const std::string text = read_file(path);
  ModelFiles model;
  const std::string expected = about(path, [&] {
    const Json json = Json::parse(text);
    if (json.at("format") != "gradus translator 1") fail("an unknown format");
    model.config = config_of(json.at("model"));
    model.notes = json.at("notes").dump();
    return json.at("subwords_sha256").get<std::string>();
  });
  model.subword_bytes = read_file(folder + "/subwords.model");
  if (sha256(model.subword_bytes) != expected)
    fail(folder + "/subwords.model: not the file that belongs to this model");
  model.weights =
      load_weights<float>(folder + "/weights.safetensors", transformer_layout<Cpu<float>>(model.config));
  return model;
}

}  // namespace gradus
