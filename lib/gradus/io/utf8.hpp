#pragma once
/// \file
/// UTF-8 and code points. White space and subwords are the business of gradus/text.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// One code point and the bytes that it takes; a length of 0 says that no code point begins here.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;
};

/// The code point at the head of `text`. Overlong forms, surrogates (U+D800 to U+DFFF), values above U+10FFFF and
/// sequences that are cut short are none.
CodePoint decode_utf8(std::string_view text);

/// Appends the one to four bytes of `value`. Throws Error for what is not a Unicode scalar value.
void append_utf8(std::string& text, char32_t value);

/// The offset of the first byte that is not part of well-formed UTF-8; the size of `text` if there is none.
std::size_t utf8_prefix(std::string_view text);

inline bool is_utf8(std::string_view text) { return utf8_prefix(text) == text.size(); }

/// The code points of `text`. Throws Error, with the offset, where it is not UTF-8.
std::u32string code_points(std::string_view text);

/// The way back.
std::string to_utf8(std::u32string_view points);

/// `point` in lower case, by tables of our own: the C locale's towlower knows ASCII alone, and another locale would
/// make results depend on the machine. Known are ASCII, Latin-1, Latin Extended-A (U+0100 to U+017F), the Greek and
/// Cyrillic letters of modern alphabets (U+0386 to U+03AB, U+0400 to U+042F) and the capital sharp s (U+1E9E);
/// everything else stays as it is. One code point always gives one: the dotted capital I (U+0130) becomes a plain
/// i, and a capital sigma the sigma that stands inside a word, wherever it stands.
char32_t lower_case(char32_t point);

/// `text` in lower case. Throws Error where it is not UTF-8.
std::string lower_case(std::string_view text);

}  // namespace gradus
