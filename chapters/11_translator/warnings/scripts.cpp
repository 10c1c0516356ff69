#include "11_translator/warnings/scripts.hpp"

#include <algorithm>
#include <iterator>

#include "gradus/io/unicode.hpp"

namespace gradus {
namespace {

struct Block {
  char32_t first, last;
};

/// Scripts without spaces between words, besides those whose letters are two columns wide: Thai and Lao, Tibetan, Myanmar,
/// Khmer, Tai, Balinese, Javanese, half-width katakana.
constexpr Block unspaced[] = {{0xE00, 0xEFF},   {0xF00, 0xFFF},   {0x1000, 0x109F}, {0x1780, 0x17FF},
                              {0x1950, 0x19FF}, {0x1A20, 0x1AAF}, {0x1B00, 0x1B7F}, {0xA980, 0xA9FF},
                              {0xAA60, 0xAADF}, {0xFF66, 0xFF9F}};

}  // namespace

bool is_cyrillic(char32_t c) { return c >= 0x400 && c < 0x530; }
bool is_latin_or_cyrillic(char32_t c) {
  return (c < 0x250 && is_unicode_letter(c)) || is_cyrillic(c) || (c >= 0x1E00 && c < 0x1F00);
}

bool is_kana(char32_t c) { return c >= 0x3041 && c <= 0x30FF; }
bool is_syllable_of_hangul(char32_t c) { return c >= 0xAC00 && c <= 0xD7A3; }

bool has_spaces(char32_t c) {
  return columns_of(c) < 2 && std::none_of(std::begin(unspaced), std::end(unspaced),
                                           [c](const Block& b) { return c >= b.first && c <= b.last; });
}

bool is_unspaced_letter(char32_t c) {
  const bool is_hangul = is_syllable_of_hangul(c) || (c >= 0x1100 && c <= 0x11FF) || (c >= 0x3130 && c <= 0x318F);
  return is_word_character(c) && !has_spaces(c) && !is_hangul;
}

}  // namespace gradus
