#pragma once
/// \file
/// The content of model.json: the model's choices, its vocabularies and weights, and how it was trained.

#include <optional>
#include <string>
#include <vector>

#include "09_transformer/config.hpp"
#include "11_translator/data/tokenizer.hpp"
#include "11_translator/storage/warning_limits.hpp"

namespace gradus {

/// The configuration as JSON, and back. `origin` is for messages.
std::string to_json(const ModelConfig& config);
ModelConfig config_from_json(const std::string& text, const std::string& origin);

/// With all fields: the files of models leave out later ones with their default.
std::string all_fields(const ModelConfig& config);

/// A file beside model.json, and the checksum of its bytes.
struct VocabularyFile {
  std::string file, sha256;
};

struct ModelDescription {
  ModelConfig config;
  TokenizerKind kind = TokenizerKind::sentencepiece;
  TextRules rules;
  VocabularyFile source, target;        ///< the same file: one vocabulary for both languages
  std::string weights_sha256;           ///< of weights.safetensors; empty: unknown, as in older models
  std::optional<double> unusual_below;  ///< as in ModelFiles
  /// JSON of any shape: how it was trained, for people and scripts; "notes" in the file
  std::string metadata = "{}";
  WarningLimits limits = {};
};

std::string to_json(const ModelDescription& description);
ModelDescription model_description(const std::string& text, const std::string& origin);

/// The name of a joint vocabulary. One of two has "source." or "target." before it; an imported one is always joint.
std::string vocabulary_file_name(TokenizerKind kind);

/// The names that a vocabulary may have.
std::vector<std::string> vocabulary_file_names();

}  // namespace gradus
