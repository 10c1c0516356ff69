#pragma once
/// \file
/// A MarianMT model of transformers as a model of gradus.

#include <string>

#include "11_translator/storage/model_files.hpp"

namespace gradus {

/// Reads a folder with config.json, model.safetensors, source.spm, target.spm and vocab.json, none of which need be trusted; nothing in
/// them is executed. Throws Error, one line that names the file and what does not fit (marian_config.hpp, marian_weights.hpp,
/// imported_pieces.hpp).
ModelFiles import_marian(const std::string& folder);

}  // namespace gradus
