#include "11_translator/storage/model_files.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "09_transformer/model.hpp"
#include "10_training/run/checkpoint.hpp"
#include "11_translator/storage/run_model.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/io/safetensors.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"
#include "gradus/util/system_error.hpp"

namespace gradus {
namespace {

// Limits that no such file of a model exceeds: a million pieces, and long metadata.
constexpr std::uint64_t longest_vocabulary = 256'000'000, longest_description = 1'000'000;

/// The result of `read`, which reads a file of the model in `folder`. If that file is damaged or missing, the message has the command of
/// the training that writes it again.
template <class Read>
auto with_repair(const std::string& folder, const Read& read) {
  try {
    return read();
  } catch (const SystemError& error) {
    if (error.code != ENOENT) throw;  // a file that may not be read is not damaged
    throw SystemError(error.what() + repair_hint(folder), error.code);
  } catch (const Error& error) {
    fail(error.what() + repair_hint(folder));
  }
}

ModelDescription read_description(const std::string& path) {
  return model_description(read_regular_file(path, longest_description), path);
}

/// The bytes of a vocabulary that has its checksum.
std::string vocabulary_bytes(const std::string& path, const VocabularyFile& v) {
  std::string bytes = read_regular_file(path, longest_vocabulary);
  if (sha256(bytes) != v.sha256) fail(path + ": not the file that belongs to this model");
  return bytes;
}

Tokenizers load_tokenizers(const std::string& folder, const ModelDescription& d) {
  const std::string source = folder + "/" + d.source.file, target = folder + "/" + d.target.file;
  if (source == target) return joint_tokenizers(d.kind, d.rules, vocabulary_bytes(source, d.source), source);
  const auto read = [&](const std::string& path, const VocabularyFile& v) {
    return Tokenizer::from_bytes(d.kind, d.rules, vocabulary_bytes(path, v), path);
  };
  return {read(source, d.source), read(target, d.target), false};
}

constexpr const char* weights_file = "/weights.safetensors";
constexpr const char* does_not_fit = "the number of a model's weights is that of its layout";

std::string weights_bytes(const std::string& path) { return read_regular_file(path, regular_file_size(path)); }

/// Whether the folder has the files of a model; a copy that was made during a training may lack one.
bool has_model(const std::string& folder) {
  return is_there(folder + "/model.json") && is_there(folder + weights_file);
}

/// The model of a folder, or that of a training which has not ended.
StoredModel stored_model(const std::string& folder) {
  const std::string path = folder + "/model.json";
  if (!has_model(folder)) {
    if (std::optional<StoredModel> model = model_of_run(folder)) return *std::move(model);
  }
  return {with_repair(folder, [&] { return read_description(path); }), folder + weights_file};
}

/// True if these bytes have the checksum of the description, or an older description has none.
bool weights_belong(std::string_view weights, const ModelDescription& d) {
  return d.weights_sha256.empty() || sha256(weights) == d.weights_sha256;
}

void check_fit(const std::string& path, const char* side, std::size_t model, std::size_t vocabulary) {
  if (model == vocabulary) return;
  fail(path + ": the model has " + std::to_string(model) + " " + side + " words, its vocabulary " +
       std::to_string(vocabulary));
}

}  // namespace

std::string weights_sha256(const std::string& folder) {
  return sha256(weights_bytes(has_model(folder) ? folder + weights_file : stored_model(folder).weights));
}

ModelDescription description(const ModelFiles& model) {
  const Tokenizers& t = model.tokenizers;
  const std::string name = vocabulary_file_name(t.source.kind());
  ModelDescription d{model.config, t.source.kind(),     t.source.rules(), {},          {},
                     {},           model.unusual_below, model.metadata,   model.limits};
  d.source = {t.joint ? name : "source." + name, sha256(t.source.bytes())};
  d.target = {t.joint ? name : "target." + name, sha256(t.target.bytes())};
  return d;
}

void save_tokenizers(const std::string& folder, const ModelFiles& model) {
  const ModelDescription d = description(model);
  write_own_file(folder + "/" + d.source.file, model.tokenizers.source.bytes());
  if (!model.tokenizers.joint) write_own_file(folder + "/" + d.target.file, model.tokenizers.target.bytes());
}

void save_model(const std::string& folder, const ModelFiles& model) {
  make_folder(folder);
  const Layout layout = transformer_layout<Cpu<float>>(model.config);
  require(model.weights.size() == layout.size(), does_not_fit);  // those of open_model are not here
  std::vector<TensorToStore> tensors;
  for (const Slice& s : layout.slices()) {
    tensors.push_back({s.name, s.shape, StoredType::F16, model.weights.data() + s.offset});
  }
  const std::string weights = safetensors_bytes(tensors);
  ModelDescription d = description(model);
  d.weights_sha256 = sha256(weights);
  save_tokenizers(folder, model);
  write_own_file(folder + weights_file, weights);
  write_own_file(folder + "/model.json", to_json(d));
}

namespace {

StoredModel checked_model(const std::string& folder) {
  if (folder.empty())
    fail("the name of the model's folder is empty; give a folder, or a name that gradus models lists");
  std::error_code none;
  if (!is_folder(folder))
    fail(folder +
         (std::filesystem::exists(folder, none) ? ": a file; a model is the folder that holds its files"
          : folder.find('/') == folder.npos
              ? ": there is no such folder, so no model in it; gradus models lists the models that have a name"
              : ": there is no such folder, so no model in it"));
  return stored_model(folder);
}

}  // namespace

ModelDescription stored_description(const std::string& folder) { return checked_model(folder).description; }

std::string weights_of_run(const std::string& folder) {
  if (!is_folder(folder) || has_model(folder)) return "";
  try {
    const std::optional<StoredModel> model = model_of_run(folder);
    if (!model) return "";
    const auto training = nlohmann::json::parse(model->description.metadata);
    return training.at("weights").get<std::string>() + ", step " + training.at("steps").dump();
  } catch (const Error&) {  // whoever loads the model says why
    return "";
  }
}

ModelFiles open_model(const std::string& folder) {
  const StoredModel stored = checked_model(folder);
  const ModelDescription& d = stored.description;
  const std::string path = folder + "/model.json";
  // While this thread reads and unpacks the weights, another one reads the vocabularies, and a third one computes the checksum of the
  // weights.
  std::future<Tokenizers> words =
      std::async([&] { return with_repair(folder, [&] { return load_tokenizers(folder, d); }); });
  const auto file = with_repair(
      folder, [&] { return std::make_shared<const SafetensorsFile>(SafetensorsFile::load(stored.weights)); });
  const std::shared_future<bool> belong = std::async([file, d] { return weights_belong(file->bytes(), d); });
  ModelFiles model{d.config, {}, words.get(), d.metadata, d.unusual_below, {}, d.limits};
  check_fit(path, "source", d.config.source_vocab, model.tokenizers.source.size());
  check_fit(path, "target", d.config.target_vocab, model.tokenizers.target.size());
  const auto layout = transformer_layout<Cpu<float>>(d.config);
  with_repair(folder, [&] { check_weights(*file, layout, stored.is_checkpoint); });
  // The file, the weights, and what the model makes of them.
  const auto bytes = 2 * sizeof(float) * layout.size() + file->bytes().size();
  require_memory(static_cast<double>(bytes), file->origin());
  model.read_weights = [file, belong, layout](View<float, 1, Host> to) {
    require(to.extent[0] == layout.size(), does_not_fit);
    read_weights(to.data, *file, layout);
    if (!belong.get()) {
      fail(file->origin() +
           ": not the file that belongs to this model; copy it again or, if a training was cut off "
           "here, run its command again");
    }
  };
  return model;
}

ModelFiles load_model(const std::string& folder) {
  ModelFiles model = open_model(folder);
  model.weights.resize(transformer_layout<Cpu<float>>(model.config).size());
  copy_weights(model, {model.weights.data(), {model.weights.size()}, model.weights.size()});
  model.read_weights = {};
  return model;
}

void copy_weights(const ModelFiles& model, View<float, 1, Host> to) {
  if (model.read_weights) return model.read_weights(to);
  require(model.weights.size() == to.extent[0], does_not_fit);
  std::copy(model.weights.begin(), model.weights.end(), to.data);
}

std::string stored_metadata(const std::string& path) {
  try {
    return read_description(path).metadata;
  } catch (const Error&) {
    return "";
  }
}

bool is_described(const ModelFiles& model, const std::string& path) {
  if (!is_there(path)) return false;
  try {
    ModelDescription expected = description(model), present = read_description(path);
    expected.unusual_below = present.unusual_below;
    expected.limits = present.limits;
    expected.weights_sha256 = present.weights_sha256;
    const std::string folder = std::filesystem::path(path).parent_path().string();
    if (to_json(present) != to_json(expected)) return false;
    load_tokenizers(folder, present);  // throws if they are damaged
    return weights_belong(weights_bytes(folder + weights_file), present);
  } catch (const Error&) {  // damaged or not there: it will be written anew
    return false;
  }
}

}  // namespace gradus
