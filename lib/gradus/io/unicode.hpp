#pragma once
/// \file
/// What Unicode says about characters: small letters, kinds of characters, columns on a terminal. The tables are utf8proc's, not the
/// C locale's, so results do not depend on the machine's settings.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// `text` in lower case, in every script that has cases: what Python's str.lower() returns, so what sacreBLEU compares.
/// A code point can become two (U+0130, the dotted I: i and a dot above), and a capital sigma at the end of a word becomes
/// the final one. No language has rules of its own: I becomes i in a Turkish text too. Throws Error, with the offset, where
/// `text` is not UTF-8.
std::string lower_case(std::string_view text);

/// Unicode's property White_Space: spaces, tabs, line ends and separators.
bool is_white_space(char32_t c);

/// A letter of any script (general category L): no digit, no sign, no emoji, and none of the marks that are drawn onto letters.
bool is_unicode_letter(char32_t c);

/// What words and numbers consist of: letters, their marks, and digits and other numerals (general categories L, M, N).
bool is_word_character(char32_t c);

/// The columns that a terminal gives to it: 2 for East Asian letters and emoji, 0 for marks that are drawn onto the letter
/// before and for what is invisible, else 1.
std::size_t columns_of(char32_t c);

}  // namespace gradus
