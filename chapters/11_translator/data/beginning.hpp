#pragma once
/// \file
/// The beginning of a text, as much as a model reads: cutting it first keeps a line of ten megabytes from being encoded.

#include <string>
#include <vector>

#include "11_translator/data/tokenizer.hpp"

namespace gradus {

struct Beginning {
  std::string text;      ///< the first bytes of the text, whole words; of an endless word whole characters
  std::vector<int> ids;  ///< of these bytes
};

/// All of `text` if it has at most `most` tokens; else a beginning of more than `most` tokens, whose first `most` are those
/// of the whole text. Only a word of more than 16 * `most` bytes may have others where it is cut.
Beginning beginning(const Tokenizer& tokenizer, const std::string& text, std::size_t most);

}  // namespace gradus
