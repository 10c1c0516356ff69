#include "app/export/ctranslate2.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "09_transformer/model.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Dev = Cpu<float>;
using Json = nlohmann::ordered_json;

constexpr const char* weights_file = "model.bin";
constexpr const char* next_weights = "model.bin.next";

/// The names of all files that an export may write. model.bin is the first: it is removed first.
std::vector<std::string> file_names() {
  std::vector<std::string> names{weights_file,
                                 next_weights,
                                 "config.json",
                                 "shared_vocabulary.json",
                                 "source_vocabulary.json",
                                 "target_vocabulary.json"};
  const std::vector<std::string> vocabularies = vocabulary_file_names();
  names.insert(names.end(), vocabularies.begin(), vocabularies.end());
  return names;
}

/// Adds the parts of one stack, encoder or decoder.
class StackWriter {
 public:
  StackWriter(CTranslate2File& file, std::string name, Norm norm, const NormParams<Dev>& first)
      : file_(file), name_(std::move(name)), norm_(norm), next_(first) {}

  void settings(const ModelConfig& c) {
    constexpr std::int8_t activations[] = {0, 3, 2};  // their numbers in CTranslate2, in the order of our own
    file_.add(name_ + "/num_heads", static_cast<std::int16_t>(c.heads));
    file_.add(name_ + "/pre_norm", static_cast<std::int8_t>(c.norm == Norm::pre));
    file_.add(name_ + "/activation", activations[static_cast<int>(c.activation)]);
    file_.add(name_ + "/scale_embeddings", static_cast<std::int8_t>(c.scale_embedding));
  }

  void self_attention(std::size_t layer, const AttentionParams<Dev>& p, const NormParams<Dev>& norm) {
    const std::string name = sublayer(layer, "self_attention", norm);
    linear(name + "/linear_0", qkv_projection(p));
    linear(name + "/linear_1", output_projection(p));
  }
  void cross_attention(std::size_t layer, const AttentionParams<Dev>& p, const NormParams<Dev>& norm) {
    const std::string name = sublayer(layer, "attention", norm);
    linear(name + "/linear_0", q_projection(p));
    linear(name + "/linear_1", kv_projection(p));
    linear(name + "/linear_2", output_projection(p));
  }
  void feed_forward(std::size_t layer, const FeedForwardParams<Dev>& p, const NormParams<Dev>& norm) {
    const std::string name = sublayer(layer, "ffn", norm);
    linear(name + "/linear_0", p.inner);
    linear(name + "/linear_1", p.outer);
  }

  /// Pre-norm: the norm that no sublayer took.
  void last_norm() {
    if (norm_ == Norm::pre) add_norm(name_ + "/layer_norm", next_);
  }

 private:
  /// The name of a sublayer, after adding its norm. `own` is the norm that follows it in gradus.
  std::string sublayer(std::size_t layer, const char* part, const NormParams<Dev>& own) {
    std::string name = name_ + "/layer_" + std::to_string(layer) + "/" + part;
    add_norm(name + "/layer_norm", norm_ == Norm::pre ? std::exchange(next_, own) : own);
    return name;
  }
  void add_norm(const std::string& name, const NormParams<Dev>& p) {
    file_.add(name + "/gamma", In<Dev, 1>(p.gamma));
    file_.add(name + "/beta", In<Dev, 1>(p.beta));
  }
  void linear(const std::string& name, const LinearParams<Dev>& p) {
    file_.add_transposed(name + "/weight", p.w);
    if (p.b) file_.add(name + "/bias", In<Dev, 1>(p.b));
  }

  CTranslate2File& file_;
  std::string name_;
  Norm norm_;
  NormParams<Dev> next_;  // pre-norm: what the next sublayer reads
};

void add_encoder(CTranslate2File& file, const ModelConfig& c, const EncoderParams<Dev>& p) {
  StackWriter stack(file, "encoder", c.norm, p.first_norm);
  stack.settings(c);
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    stack.self_attention(l, p.layers[l].self_attention, p.layers[l].self_attention_norm);
    stack.feed_forward(l, p.layers[l].feed_forward, p.layers[l].feed_forward_norm);
  }
  stack.last_norm();
}

void add_decoder(CTranslate2File& file, const ModelConfig& c, const DecoderParams<Dev>& p) {
  StackWriter stack(file, "decoder", c.norm, p.first_norm);
  stack.settings(c);
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    stack.self_attention(l, p.layers[l].self_attention, p.layers[l].self_attention_norm);
    stack.cross_attention(l, p.layers[l].cross_attention, p.layers[l].cross_attention_norm);
    stack.feed_forward(l, p.layers[l].feed_forward, p.layers[l].feed_forward_norm);
  }
  stack.last_norm();
}

/// Each table once; a tied one gets a second name.
void add_tables(CTranslate2File& file, const ModelConfig& c, const TransformerParams<Dev>& p) {
  const std::string source = "encoder/embeddings_0/weight", target = "decoder/embeddings/weight",
                    output = "decoder/projection/weight", positions = "/position_encodings/encodings";
  file.add(target, In<Dev, 2>(p.target_embedding));
  if (c.tying == Tying::all) {
    file.add_alias(source, target);
  } else {
    file.add(source, In<Dev, 2>(p.source_embedding));
  }
  if (c.tying == Tying::none) {
    file.add(output, In<Dev, 2>(p.output.table));
  } else {
    file.add_alias(output, target);
  }
  if (p.output.bias) file.add("decoder/projection/bias", In<Dev, 1>(p.output.bias));
  file.add("encoder" + positions, p.positions);  // without one, CTranslate2 would add sines and cosines
  file.add_alias("decoder" + positions, "encoder" + positions);
}

/// The pieces of a vocabulary in the order of their ids. No vocabulary has one twice.
Json pieces(const Tokenizer& tokenizer) {
  Json all = Json::array();
  for (std::size_t id = 0; id < tokenizer.size(); ++id) all.push_back(tokenizer.piece(static_cast<int>(id)));
  return all;
}

Json settings(const ModelConfig& config, const Tokenizer& target) {
  const auto piece = [&](int id) { return target.piece(id); };
  const Specials& s = Tokenizer::specials;
  return {{"add_source_bos", false},   {"add_source_eos", true},
          {"bos_token", piece(s.bos)}, {"decoder_start_token", piece(s.bos)},
          {"eos_token", piece(s.eos)}, {"layer_norm_epsilon", config.norm_epsilon},
          {"unk_token", piece(s.unk)}};
}

void remove_file(const std::string& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) fail(path + ": cannot be removed: " + error.message());
}

std::string as_file(const Json& json) { return json.dump(1) + "\n"; }

}  // namespace

void check_ctranslate2(const ModelConfig& config) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (config.norm_form != NormForm::layer)
    fail("the export to CTranslate2 writes layer norms only, and this model has other ones");
  if (config.decoder_unit != DecoderUnit::attention)
    fail("CTranslate2 cannot express this model: its decoder has an SSRU in the place of self-attention");
  const Layout layout = transformer_layout<Dev>(config);
  for (const Slice& s : layout.slices()) {
    if (s.size() > most / sizeof(float))
      fail("CTranslate2 cannot express this model: it stores less than 4 GiB in a tensor, and " + s.name + " has " +
           std::to_string(s.size()) + " numbers of 4 bytes");
  }
}

CTranslate2File ctranslate2_tensors(const ModelFiles& files) {
  Dev dev;
  const Model<Dev> model(dev, files.config);
  copy_weights(files, model.flat());
  CTranslate2File file;
  file.add("encoder/embeddings_merge", std::int8_t{0});  // of one embedding: no choice, but the field is expected
  add_encoder(file, model.config, model.params.encoder);
  add_decoder(file, model.config, model.params.decoder);
  add_tables(file, model.config, model.params);
  return file;
}

std::vector<std::string> ctranslate2_files(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code none;  // a folder that cannot be read: writing reports it
  for (const std::string& name : file_names()) {
    if (std::filesystem::exists(folder + "/" + name, none)) found.push_back(name);
  }
  return found;
}

void export_ctranslate2(const std::string& folder, const ModelFiles& model) {
  check_ctranslate2(model.config);
  const Tokenizers& t = model.tokenizers;
  const std::string weights = ctranslate2_tensors(model).bytes(), source = as_file(pieces(t.source)),
                    target = as_file(pieces(t.target)), config = as_file(settings(model.config, t.target));
  make_folder(folder);
  write_own_file(folder + "/" + next_weights, weights);  // by far the largest: if the disk is full, it fails here
  for (const std::string& name : ctranslate2_files(folder)) {
    if (name != next_weights) remove_file(folder + "/" + name);
  }
  save_tokenizers(folder, model);
  if (t.joint) {
    write_own_file(folder + "/shared_vocabulary.json", source);
  } else {
    write_own_file(folder + "/source_vocabulary.json", source);
    write_own_file(folder + "/target_vocabulary.json", target);
  }
  write_own_file(folder + "/config.json", config);
  rename_atomically(folder + "/" + next_weights, folder + "/" + weights_file);
}

}  // namespace gradus
