#pragma once
/// \file
/// The words of a text that are not single pieces of the vocabulary.

#include <string>
#include <vector>

#include "11_translator/data/tokenizer.hpp"

namespace gradus {

/// The words of a text that SentencePiece cut into two or more pieces, each once; words with the most pieces come
/// first. `pieces` comes from Tokenizer::pieces. Byte-pair encoding joins frequent sequences, so a word in several
/// pieces was rare in the training text, or did not occur. A word is a run of letters and their combining marks:
/// punctuation, digits and <unk> end it. Letters that are two columns wide (Chinese, Japanese, Korean) belong to no
/// word, because spaces do not separate words there.
std::vector<std::string> words_in_parts(const std::vector<TextPiece>& pieces);

}  // namespace gradus
