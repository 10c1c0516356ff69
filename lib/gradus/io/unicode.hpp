#pragma once
/// \file
/// Unicode's properties of characters: lower case, kinds of characters, columns on a terminal. The tables are
/// utf8proc's, not those of the C locale, so results do not depend on the machine's settings.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// Whether a set of characters, written as a text, has this one.
inline bool is_among(std::u32string_view set, char32_t c) { return set.find(c) != set.npos; }

/// `text` in lower case, in every script that has cases. The result is that of Python's str.lower(), which
/// sacreBLEU uses. One code point can become two (U+0130, the dotted I, becomes i and a dot above). A capital sigma
/// at the end of a word becomes the final sigma. No language has its own rules: I becomes i in a Turkish text too.
/// Throws Error, with the offset, if `text` is not UTF-8.
std::string lower_case(std::string_view text);

/// Unicode's property White_Space: spaces, tabs, line ends and separators.
bool is_white_space(char32_t c);

/// A letter of any script (general category L). Digits, signs, emoji and combining marks are no letters.
bool is_unicode_letter(char32_t c);

/// Whether a text has a letter. Throws Error, with the offset, if it is not UTF-8.
bool has_letters(std::string_view text);

/// A punctuation mark of any script (general category P): . , - ' " ( ) and others. $ + < = > ^ ` | ~ are symbols.
bool is_punctuation(char32_t c);

/// A numeral of any script (general category N): digits, Roman numerals, fractions.
bool is_number(char32_t c);

/// A sign that is no punctuation mark (general category S): currencies, mathematics, arrows, emoji.
bool is_symbol(char32_t c);

/// A part of a word or number: letters, combining marks, digits and other numerals (general categories L, M, N).
bool is_word_character(char32_t c);

/// A control character (general category Cc): U+0000 to U+001F and U+007F to U+009F.
bool is_control(char32_t c);

/// The number of code points that a reader sees as one character at the place `at` of the text: one, or more with combining marks,
/// in emoji of several parts, and in flags (Unicode Standard Annex 29, extended grapheme clusters).
std::size_t visible_character(std::u32string_view text, std::size_t at);

/// Unicode's property Default_Ignorable_Code_Point: a character that shows nothing and is no space, such as the soft
/// hyphen, U+200B and variation selectors; also the places that Unicode keeps for such characters.
bool is_ignorable(char32_t c);

/// The value of a decimal digit of any script; -1 for other characters.
int digit_value(char32_t c);

/// A character that is a number, in digits 0 to 9: a decimal digit of any script, a digit in a circle (plain);
/// ½ as 1, U+2044, 2 (fraction); ² as 2 (raised). Other characters have no digits.
struct Numeral {
  enum class Kind { none, plain, fraction, raised } kind = Kind::none;
  std::u32string digits = {};
};
Numeral numeral(char32_t c);

/// The case of a letter; `none` for letters of scripts without cases, and for other characters.
enum class LetterCase { none, small, capital };
LetterCase case_of(char32_t c);

/// The columns that a terminal uses for it: 2 for East Asian letters and emoji; 0 for combining marks and for
/// invisible characters; else 1.
std::size_t columns_of(char32_t c);

/// The versions of the tables and of utf8proc: others may answer otherwise.
std::string unicode_version();

}  // namespace gradus
