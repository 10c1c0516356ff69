#pragma once
/// \file
/// The scripts of characters: blocks of letters, and scripts that put no spaces between words.

namespace gradus {

bool is_cyrillic(char32_t c);
bool is_latin_or_cyrillic(char32_t c);   ///< letters
bool is_kana(char32_t c);                ///< hiragana and katakana
bool is_syllable_of_hangul(char32_t c);  ///< whole syllables, as texts have them

/// Whether words of this character's script stand between spaces. Not in Chinese and Japanese, nor in other scripts whose letters are
/// two columns wide, nor in Thai, Lao, Tibetan, Myanmar, Khmer, Tai, Balinese and Javanese.
bool has_spaces(char32_t c);

/// A letter, mark or digit of a script without spaces. Hangul has them, though it is wide.
bool is_unspaced_letter(char32_t c);

}  // namespace gradus
