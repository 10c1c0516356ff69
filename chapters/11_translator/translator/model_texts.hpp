#pragma once
/// \file
/// What a loaded model knows of texts: how it reads them, and which of its translations deserve a warning.

#include <limits>
#include <string>
#include <vector>

#include "11_translator/data/normaliser.hpp"
#include "11_translator/storage/model_files.hpp"
#include "11_translator/warnings/text_languages.hpp"

namespace gradus {

struct ModelTexts {
  /// Nothing is known, as of a model that is still in training: texts are read as they are, and no limit is crossed.
  ModelTexts() = default;
  explicit ModelTexts(const ModelFiles& model);

  bool has_seen(std::int32_t source_id) const;

  Normaliser source, target;
  SeenPieces seen;                                                   ///< WarningLimits::source_pieces
  double unusual_below = -std::numeric_limits<double>::infinity();   ///< as in ModelFiles
  double hesitant_below = -std::numeric_limits<double>::infinity();  ///< as in WarningLimits
  std::vector<std::string> muted;                                    ///< as in WarningLimits
  bool copies_signs = false;  ///< a text without a letter is its own translation (storage/warning_limits.hpp)
  TextLanguages languages;
};

/// The texts of a model that nothing is known of.
const ModelTexts& no_texts();

}  // namespace gradus
