#pragma once
/// \file
/// A model as a folder of CTranslate2 (github.com/OpenNMT/CTranslate2), a fast program for translation, with which
/// gradus is compared.

#include <string>
#include <vector>

#include "11_translator/storage/model_files.hpp"
#include "app/export/ctranslate2_file.hpp"

namespace gradus {

/// Throws Error, one line, if the export cannot write such a model: its norms are no layer norms, its decoder has an SSRU,
/// or a tensor has 4 GiB or more, which does not fit into CTranslate2's file. It has all other choices of ModelConfig.
void check_ctranslate2(const ModelConfig& config);

/// The tensors of the model under the names of CTranslate2.
///
/// CTranslate2 normalises before a sublayer (pre-norm) or after it (post-norm), and both times the norm belongs to
/// that sublayer. In gradus a norm always follows its sublayer. So with pre-norm each norm moves to the next sublayer,
/// and the last one of a stack becomes the norm of the stack.
CTranslate2File ctranslate2_tensors(const ModelFiles& model);

/// The files that export_ctranslate2 writes, replaces or removes, if they are in the folder.
std::vector<std::string> ctranslate2_files(const std::string& folder);

/// Writes model.bin (weights in float32), config.json, the vocabularies in JSON, and the files of the tokenizer, which
/// turns text into the pieces that CTranslate2 reads.
///
/// requires  the model passes check_ctranslate2, else Error.
/// ensures   The weights are written first, as model.bin.next. Then the older files are removed, model.bin first, and
///           model.bin.next gets its name last. So a folder with a model.bin is whole, also after a crash, and if there
///           is no room for the weights, the older model stays. No vocabulary of an older model stays beside the new one.
void export_ctranslate2(const std::string& folder, const ModelFiles& model);

}  // namespace gradus
