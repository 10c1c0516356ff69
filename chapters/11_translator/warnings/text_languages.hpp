#pragma once
/// \file
/// The languages of a model's texts.

#include <string>

#include "11_translator/data/tokenizer.hpp"
#include "11_translator/storage/warning_limits.hpp"

namespace gradus {

/// Codes of number_languages(); empty: unknown.
struct TextLanguages {
  std::string source, target;
};

/// The languages of a model, by frequent words that are single pieces of its vocabularies. Of the two
/// languages of a joint vocabulary the source's is the one whose words the source side has (`source_pieces`, empty: unknown). A small
/// vocabulary, an unknown language, or several that are alike give "".
TextLanguages languages_of(const Tokenizers& tokenizers, const SeenPieces& source_pieces);

}  // namespace gradus
