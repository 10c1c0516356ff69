#pragma once
/// \file
/// Unicode's properties of characters: lower case, kinds of characters, columns on a terminal. The tables are
/// utf8proc's, not those of the C locale, so results do not depend on the machine's settings.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// `text` in lower case, in every script that has cases. The result is that of Python's str.lower(), which
/// sacreBLEU uses. One code point can become two (U+0130, the dotted I, becomes i and a dot above). A capital sigma
/// at the end of a word becomes the final sigma. No language has its own rules: I becomes i in a Turkish text too.
/// Throws Error, with the offset, if `text` is not UTF-8.
std::string lower_case(std::string_view text);

/// Unicode's property White_Space: spaces, tabs, line ends and separators.
bool is_white_space(char32_t c);

/// A letter of any script (general category L). Digits, signs, emoji and combining marks are no letters.
bool is_unicode_letter(char32_t c);

/// A punctuation mark of any script (general category P): . , - ' " ( ) and others. $ + < = > ^ ` | ~ are symbols.
bool is_punctuation(char32_t c);

/// A part of a word or number: letters, combining marks, digits and other numerals (general categories L, M, N).
bool is_word_character(char32_t c);

/// The columns that a terminal uses for it: 2 for East Asian letters and emoji; 0 for combining marks and for
/// invisible characters; else 1.
std::size_t columns_of(char32_t c);

/// The versions of the tables and of utf8proc: others may answer otherwise.
std::string unicode_version();

}  // namespace gradus
