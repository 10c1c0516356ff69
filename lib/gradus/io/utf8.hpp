#pragma once
/// \file
/// UTF-8 and code points. unicode.hpp has their properties.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// One code point and its number of bytes; a length of 0 means that no code point begins here.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;
};

/// The code point at the start of `text`. Length 0 for overlong forms, surrogates (U+D800 to U+DFFF), values above
/// U+10FFFF and sequences that are cut short.
CodePoint decode_utf8(std::string_view text);

/// Appends the one to four bytes of `value`. Throws Error if it is not a Unicode scalar value.
void append_utf8(std::string& text, char32_t value);

/// The offset of the first byte that is not well-formed UTF-8; the size of `text` if there is none.
std::size_t utf8_prefix(std::string_view text);

inline bool is_utf8(std::string_view text) { return utf8_prefix(text) == text.size(); }

/// The code points of `text`. Throws Error, with the offset, if it is not UTF-8.
std::u32string code_points(std::string_view text);

/// The inverse: code points to UTF-8.
std::string to_utf8(std::u32string_view points);

}  // namespace gradus
