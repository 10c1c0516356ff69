#pragma once
/// \file
/// What a training measures at its end, beside unusual_below, so that warnings suit the model and not that of other texts.

#include <optional>
#include <string>
#include <vector>

#include "11_translator/data/normaliser.hpp"

namespace gradus {

/// Among the codes of WarningLimits::muted: the model has learnt to translate lines without a letter, so they are not copied.
constexpr const char* translates_signs = "no-letters";

struct WarningLimits {
  /// Nats a token. Below it, the validation's translations were clearly worse than the others, compared with their
  /// references. Absent: unknown, as in models of earlier versions; then it is half of unusual_below (ModelFiles).
  std::optional<double> hesitant_below = {};
  /// Codes of warnings (translation_warnings.hpp) that the model does not give, because too many of the validation's
  /// references would have them.
  std::vector<std::string> muted = {};
  /// The pieces that the source side of the training text had. Empty: unknown, so all pieces of the vocabulary.
  SeenPieces source_pieces = {};
};

/// Pieces as text for a JSON file: hexadecimal digits of four pieces each, the first one in the highest bit. And back;
/// throws Error for other text.
std::string to_digits(const SeenPieces& pieces);
SeenPieces pieces_of_digits(const std::string& digits);

}  // namespace gradus
