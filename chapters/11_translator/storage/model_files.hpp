#pragma once
/// \file
/// A translator on disk: a folder with the model's choices (model.json), its weights (weights.safetensors, which
/// Python reads too) and its vocabulary: subwords.model or words.txt, or one such file for each language.

#include <optional>
#include <string>
#include <vector>

#include "11_translator/data/tokenizer.hpp"
#include "11_translator/storage/model_description.hpp"

namespace gradus {

/// What is written of a translator.
struct ModelFiles {
  ModelConfig config;
  std::vector<float> weights;  ///< flat, by the layout of the configuration
  Tokenizers tokenizers;
  std::string metadata = "{}";  ///< JSON of any shape: how it was trained, for people and scripts
  /// Nats a token: the log probability that all but the worst 0.5 % of the validation's translations reach. A sentence
  /// whose translation stays below is one that the model is unsure of. Absent: not known.
  std::optional<double> unusual_below = {};
};

/// Writes the folder. Weights are stored in F16, which costs no measurable quality and half the size.
void save_model(const std::string& folder, const ModelFiles& model);

/// Reads it. Throws Error, one line, for a folder that is missing, damaged, or not of one piece: sizes are compared
/// with the files before memory is taken, a vocabulary's checksum before it is parsed, and that of the weights.
ModelFiles load_model(const std::string& folder);

/// What its model.json will say, but for the checksum of the weights. That file is written last: where it says so,
/// the others belong to it.
ModelDescription description(const ModelFiles& model);

/// What the folder's model.json says, alone. Throws Error, as load_model does.
ModelDescription stored_description(const std::string& folder);

/// The checksum of the folder's file of weights.
std::string weights_sha256(const std::string& folder);

/// The metadata in the description `path` of a model; "" where there is no such file, or a damaged one.
std::string stored_metadata(const std::string& path);

/// Whether the file `path` describes this model, and the weights beside it are those that it means. What takes a search
/// to know (unusual_below) and the weights in memory are not compared.
bool is_described(const ModelFiles& model, const std::string& path);

}  // namespace gradus
