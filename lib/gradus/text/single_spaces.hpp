#pragma once
/// \file
/// White space, before a text is cut into subwords and after it was put together.

#include <string>
#include <string_view>

namespace gradus {

/// True for white space, and for two characters that Unicode does not count as such: the byte order mark, and U+2581,
/// SentencePiece's mark for a space.
bool is_subword_space(char32_t c);

/// `text` with each run of white space replaced by one space, and without white space at either end. Bytes that are not UTF-8
/// stay as they are.
std::string single_spaces(std::string_view text);

}  // namespace gradus
