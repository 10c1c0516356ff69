#pragma once
/// \file
/// A model in Marian's own file as a model of gradus, such as a student of Firefox or Bergamot.

#include <string>

#include "11_translator/storage/model_files.hpp"

namespace gradus {

/// Whether the folder has a file model.NAME.bin or NAME.npz. Throws Error if the folder cannot be read.
bool holds_student(const std::string& folder);

/// Reads a folder with one of these files of weights, and vocab.NAME.spm, vocab.spm, or source.spm, target.spm and NAME.vocab.yml, none of
/// which need be trusted; nothing in them is executed. Throws Error, one line that names the file and what does not fit (marian_binary.hpp,
/// marian_npz.hpp, student_config.hpp, student_weights.hpp, piece_model.hpp, vocabulary_yaml.hpp), or says that there are two files of a kind.
ModelFiles import_student(const std::string& folder);

}  // namespace gradus
