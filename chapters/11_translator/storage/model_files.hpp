#pragma once
/// \file
/// A translator on disk: a folder with the model's choices (model.json), its weights (weights.safetensors, which
/// Python reads too) and its vocabulary: subwords.model or words.txt, or one such file for each language.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "11_translator/data/tokenizer.hpp"
#include "11_translator/storage/model_description.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// The parts of a translator that are stored.
struct ModelFiles {
  ModelConfig config;
  std::vector<float> weights;  ///< flat, by the layout of the configuration
  Tokenizers tokenizers;
  std::string metadata = "{}";  ///< JSON of any shape: how it was trained, for people and scripts
  /// Nats a token: 99.5 % of the validation's translations have at least this log probability. If a translation is
  /// below it, the model is unsure of the sentence. Absent: unknown.
  std::optional<double> unusual_below = {};
  /// Only of open_model: writes the weights to memory for all of them. Throws Error if their checksum is wrong.
  std::function<void(View<float, 1, Host>)> read_weights = {};
  WarningLimits limits = {};
};

/// Writes the folder. Weights are stored in F16: half the size, without a measurable loss of quality.
void save_model(const std::string& folder, const ModelFiles& model);

/// Writes only the folder's vocabularies, which `description` names.
void save_tokenizers(const std::string& folder, const ModelFiles& model);

/// Reads the folder of a model, or of a training that has not ended (run_model.hpp). Throws Error, one line, if it is missing, damaged, or its files do not belong together. It
/// checks sizes before it allocates memory, a vocabulary's checksum before it parses it, and the checksum of the
/// weights.
ModelFiles load_model(const std::string& folder);

/// The same for a model that will compute: `weights` stay empty, and read_weights writes them where they are used. It compares their
/// checksum; open_model checks all the rest.
ModelFiles open_model(const std::string& folder);

/// Writes the weights of either function to memory for all of them.
void copy_weights(const ModelFiles& model, View<float, 1, Host> to);

/// The content of its model.json, without the checksum of the weights. That file is written last: if it has this
/// content, the other files belong to it.
ModelDescription description(const ModelFiles& model);

/// Reads only what describes the model. Throws Error, as load_model does.
ModelDescription stored_description(const std::string& folder);

/// Whose weights load_model takes from the folder of a training that has not ended: "of the best validation so far, step 60". "" if the
/// folder has the files of a model, or nothing of one.
std::string weights_of_run(const std::string& folder);

/// The checksum of the folder's file of weights.
std::string weights_sha256(const std::string& folder);

/// The metadata in the description `path` of a model; "" if the file is missing or damaged.
std::string stored_metadata(const std::string& path);

/// Whether the file `path` describes this model, and the weights beside it have its checksum. Does not compare
/// unusual_below and the limits, which need a search, nor the weights in memory.
bool is_described(const ModelFiles& model, const std::string& path);

}  // namespace gradus
