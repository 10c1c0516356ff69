#pragma once
/// \file
/// A translator on disk: a folder with the model's choices (model.json), its weights (weights.safetensors, which
/// Python reads too) and its subwords (subwords.model).

#include <string>
#include <vector>

#include "09_transformer/config.hpp"
#include "gradus/text/subwords.hpp"

namespace gradus {

/// What is written of a translator.
struct ModelFiles {
  ModelConfig config;
  std::vector<float> weights;  ///< flat, by the layout of the configuration
  std::string subword_bytes;   ///< a SentencePiece model
  std::string notes = "{}";    ///< JSON of any shape: how it was trained, for people and scripts
};

/// Writes the folder. Weights are stored in F16, which costs no measurable quality and half the size.
void save_model(const std::string& folder, const ModelFiles& model);

/// Reads it. Throws Error, one line, for a folder that is missing, damaged, or not of one piece: sizes are compared
/// with the files before memory is taken, and the subwords' checksum before they are parsed.
ModelFiles load_model(const std::string& folder);

/// The configuration as JSON, and back. `origin` is for messages.
std::string to_json(const ModelConfig& config);
ModelConfig config_from_json(const std::string& text, const std::string& origin);

}  // namespace gradus
