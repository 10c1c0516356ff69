#pragma once
/// \file
/// The words of a text that are not single pieces of the vocabulary.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "11_translator/data/tokenizer.hpp"

namespace gradus {

/// The words of a text that SentencePiece cut into two or more pieces, each once; words with the most pieces come
/// first. `pieces` comes from Tokenizer::pieces. Byte-pair encoding joins frequent sequences, so a word in several
/// pieces was rare in the training text, or did not occur. A word is a run of letters and their combining marks:
/// punctuation, digits and <unk> end it. Letters of scripts that put no spaces between words (Chinese, Japanese, Thai
/// and others), and all that are two columns wide, belong to no word.
std::vector<std::string> words_in_parts(const std::vector<TextPiece>& pieces);

/// The texts of the pieces whose ids are new to the model, without the mark of a space, each once; neighbours are one.
std::vector<std::string> unknown_parts(const std::vector<TextPiece>& pieces,
                                       const std::function<bool(std::int32_t)>& is_new);

}  // namespace gradus
