#pragma once
/// \file
/// Which words of a text are no pieces of the vocabulary.

#include <string>
#include <vector>

#include "11_translator/data/tokenizer.hpp"

namespace gradus {

/// The words of a text that SentencePiece cut into two or more pieces, each once; those of most pieces first.
/// `pieces` is what Tokenizer::pieces gave. Byte-pair encoding joins what is frequent, so a word that it left in parts was rare
/// in the training text, or was not there. Here a word is a run of letters and the marks on them: punctuation, digits and
/// <unk> end it. Letters of two columns (Chinese, Japanese, Korean) belong to none, because spaces do not part their words.
std::vector<std::string> words_in_parts(const std::vector<TextPiece>& pieces);

}  // namespace gradus
