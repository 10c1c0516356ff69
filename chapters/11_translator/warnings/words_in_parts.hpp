#pragma once
/// \file
/// The words of a text that a model does not know as whole words.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "11_translator/data/tokenizer.hpp"

namespace gradus {

/// Words in the spelling of the text, each once.
struct UnknownWords {
  std::vector<std::string> unknown;  ///< with a piece that is new to the model
  std::vector<std::string>
      in_parts;  ///< of two or more pieces, none of them new; those with the most pieces come first
};

/// The words of `text` that SentencePiece cut, or that have pieces for which `is_new` is true. `pieces` comes from Tokenizer::pieces, of
/// `text` or of what a Normaliser makes of it; the word that each one names is one of `text`. Byte-pair encoding joins frequent
/// sequences, so a word in several pieces was rare in the training text, or did not occur.
///
/// A word is a run of letters, their combining marks and digits; punctuation ends it. Its digits are no reason to be in `in_parts`. Letters
/// of scripts that put no spaces between words (Chinese, Japanese, Thai and others), and all that are two columns wide, belong to no
/// word. In `unknown` neighbours that are both new are one.
UnknownWords unknown_words(const std::string& text, const std::vector<TextPiece>& pieces,
                           const std::function<bool(std::int32_t)>& is_new);

/// Those that are more than punctuation and signs of currencies. In the training text of an imported model <unk> stood for them, so it
/// may have learnt what they mean; signs of numbers have a warning of their own (changed_numbers.hpp).
std::vector<std::string> without_usual_signs(std::vector<std::string> unknown);

}  // namespace gradus
