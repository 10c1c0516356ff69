// gradus import: what is refused.

#include <filesystem>

#include "chapters/11_translator/imported_models.hpp"
#include "chapters/11_translator/program.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A copy of an imported folder, to be changed.
std::string copied(const Playground& place) {
  std::filesystem::copy(imported_folder("swish"), place.file("hub"));
  return place.file("hub");
}

}  // namespace

TEST_CASE("import: a field that gradus has not is refused in one line that names it") {
  const Playground place("import-refused");
  const std::string hub = copied(place);
  const nlohmann::json config = nlohmann::json::parse(read_file(hub + "/config.json"));
  const auto refused = [&](const char* field, const nlohmann::json& value, const std::string& message) {
    nlohmann::json other = config;
    other[field] = value;
    place.write("hub/config.json", other.dump());
    CHECK_THROWS_WITH(import_marian(hub), contains(hub + "/config.json: " + message));
  };
  refused("model_type", "bart", "model_type is \"bart\", but must be marian");
  refused("activation_function", "tanh", "activation_function is \"tanh\"");
  refused("normalize_before", true, "normalize_before is true");
  refused("add_final_layer_norm", true, "add_final_layer_norm is true");
  refused("normalize_embedding", true, "normalize_embedding is true");
  refused("static_position_embeddings", false, "static_position_embeddings is false");
  refused("share_encoder_decoder_embeddings", false, "share_encoder_decoder_embeddings is false");
  refused("decoder_attention_heads", 4, "decoder_attention_heads is 4, but must be encoder_attention_heads, 2");
  refused("decoder_ffn_dim", 13, "decoder_ffn_dim is 13");
  refused("decoder_start_token_id", 0, "decoder_start_token_id is 0, but must be pad_token_id");
  refused("decoder_vocab_size", 7, "decoder_vocab_size is 7");
  refused("d_model", -8, "d_model is -8, which is no whole number");
  refused("d_model", 7, "d_model is 7");
  refused("scale_embedding", 1, "scale_embedding is 1, which is neither true nor false");
  refused("dropout", "much", "dropout is \"much\"");
  refused("vocab_size", 1e9, "vocab_size is 1000000000");
  nlohmann::json less = config;
  less.erase("encoder_layers");
  place.write("hub/config.json", less.dump());
  CHECK_THROWS_WITH(import_marian(hub), contains("encoder_layers is missing"));
  place.write("hub/config.json", "[1");
  CHECK_THROWS_AS(import_marian(hub), Error);
}

TEST_CASE("import: weights and pieces that do not belong to the configuration are refused") {
  const Playground place("import-damaged");
  const std::string hub = copied(place), vocabulary = read_file(hub + "/vocab.json");
  const std::string config = read_file(hub + "/config.json");
  const auto with = [&](const char* field, const nlohmann::json& value) {
    nlohmann::json other = nlohmann::json::parse(config);
    other[field] = value;
    place.write("hub/config.json", other.dump());
  };
  with("d_model", 16384);
  CHECK_THROWS_WITH(import_marian(hub), contains("numbers, but its configuration describes"));
  with("d_model", 18);
  CHECK_THROWS_WITH(import_marian(hub), contains("model.safetensors: model.") && contains("has the shape"));
  with("encoder_layers", 1);
  CHECK_THROWS_WITH(import_marian(hub), contains("model.encoder.layers.1.") && contains("is no tensor"));
  with("encoder_layers", 3);
  CHECK_THROWS_WITH(import_marian(hub), contains("model.encoder.layers.2.") && contains("is missing"));
  place.write("hub/config.json", config);
  nlohmann::json pieces = nlohmann::json::parse(vocabulary);
  pieces["</s>"] = 5;
  place.write("hub/vocab.json", pieces.dump());
  CHECK_THROWS_WITH(import_marian(hub), contains("vocab.json: the id of ") && contains("comes twice"));
  pieces.erase("</s>");
  place.write("hub/vocab.json", pieces.dump());
  CHECK_THROWS_WITH(import_marian(hub), contains("pieces, but vocab_size is"));
  place.write("hub/vocab.json", vocabulary);
  place.write("hub/source.spm", "no model");
  CHECK_THROWS_WITH(import_marian(hub), contains("source model"));
  std::filesystem::remove(hub + "/model.safetensors");
  CHECK_THROWS_WITH(import_marian(hub), contains("pytorch_model.bin is not read"));
}
