#pragma once
/// \file
/// The beginning of a text, as long as a model reads. Cutting it first avoids encoding a line of ten megabytes.

#include <cstddef>
#include <string>
#include <vector>

#include "11_translator/data/tokenizer.hpp"

namespace gradus {

struct Beginning {
  std::string text;      ///< the first bytes of the text, in whole words; of an endless word, whole characters
  std::vector<int> ids;  ///< of these bytes
};

/// All of `text` if it has at most `most` tokens. Else a beginning of more than `most` tokens; its first `most`
/// tokens are those of the whole text. Only a word of more than 16 * `most` bytes may have other tokens where it is
/// cut.
Beginning beginning(const Tokenizer& tokenizer, const std::string& text, std::size_t most);

}  // namespace gradus
