#include "gradus/io/unicode.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

constexpr char32_t capital_sigma = 0x3A3, small_sigma = 0x3C3, final_sigma = 0x3C2;

utf8proc_int32_t number(char32_t c) { return static_cast<utf8proc_int32_t>(c); }

/// Unicode's property Case_Ignorable. utf8proc knows the general categories but not the word breaks MidLetter,
/// MidNumLet and Single_Quote (Unicode Standard Annex 29), so they are listed here.
bool is_case_ignorable(char32_t c) {
  constexpr std::u32string_view inside_words =
      U"'.:\u00B7\u0387\u055F\u05F4\u2018\u2019\u2024\u2027\uFE13\uFE52\uFE55\uFF07\uFF0E\uFF1A";
  switch (utf8proc_category(number(c))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return is_among(inside_words, c);
  }
}

/// Letters in circles and squares, and two ordinal signs: they have a case but are no letters, and have no
/// counterpart in the other case (PropList.txt, Other_Lowercase and Other_Uppercase).
bool is_cased_without_partner(char32_t c) {
  return c == 0xAA || c == 0xBA || (c >= 0x1F130 && c <= 0x1F149) || (c >= 0x1F150 && c <= 0x1F169) ||
         (c >= 0x1F170 && c <= 0x1F189);
}

/// Unicode's property Cased, for characters that are not ignorable.
bool is_cased(char32_t c) {
  const utf8proc_category_t category = utf8proc_category(number(c));
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL || category == UTF8PROC_CATEGORY_LT ||
         utf8proc_tolower(number(c)) != number(c) || utf8proc_toupper(number(c)) != number(c) ||
         is_cased_without_partner(c);
}

/// True if a letter stands before `at` and none after it: Unicode's condition Final_Sigma (SpecialCasing.txt).
bool ends_word(std::u32string_view text, std::size_t at) {
  std::size_t before = at, behind = at + 1;
  while (before > 0 && is_case_ignorable(text[before - 1])) --before;
  while (behind < text.size() && is_case_ignorable(text[behind])) ++behind;
  return before > 0 && is_cased(text[before - 1]) && (behind == text.size() || !is_cased(text[behind]));
}

}  // namespace

std::string lower_case(std::string_view text) {
  const std::u32string points = code_points(text);
  std::string lower;
  lower.reserve(text.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const char32_t c = points[i];
    if (c == capital_sigma) {
      append_utf8(lower, ends_word(points, i) ? final_sigma : small_sigma);
    } else {
      append_utf8(lower, static_cast<char32_t>(utf8proc_tolower(number(c))));
      if (c == 0x130) append_utf8(lower, 0x307);  // utf8proc maps one to one; only this character becomes two
    }
  }
  return lower;
}

bool is_white_space(char32_t c) {
  if (c < 0x80) return c == U' ' || (c >= U'\t' && c <= U'\r');
  const utf8proc_category_t category = utf8proc_category(number(c));
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP ||
         c == 0x85;
}

bool is_unicode_letter(char32_t c) {
  const utf8proc_category_t category = utf8proc_category(number(c));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool has_letters(std::string_view text) {
  const std::u32string points = code_points(text);
  return std::any_of(points.begin(), points.end(), is_unicode_letter);
}

bool is_punctuation(char32_t c) {
  const utf8proc_category_t category = utf8proc_category(number(c));
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool is_number(char32_t c) {
  const utf8proc_category_t category = utf8proc_category(number(c));
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool is_symbol(char32_t c) {
  const utf8proc_category_t category = utf8proc_category(number(c));
  return category >= UTF8PROC_CATEGORY_SM && category <= UTF8PROC_CATEGORY_SO;
}

bool is_word_character(char32_t c) {
  const utf8proc_category_t category = utf8proc_category(number(c));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

std::size_t visible_character(std::u32string_view text, std::size_t at) {
  utf8proc_int32_t state = 0;
  std::size_t end = at + 1;
  while (end < text.size() && !utf8proc_grapheme_break_stateful(number(text[end - 1]), number(text[end]), &state))
    ++end;
  return end - at;
}

bool is_ignorable(char32_t c) {
  const bool kept_free = c == 0x2065 || (c >= 0xFFF0 && c <= 0xFFF8) || (c >= 0xE0000 && c <= 0xE0FFF);
  return kept_free || utf8proc_get_property(number(c))->ignorable != 0;
}

int digit_value(char32_t c) {
  const auto is_digit = [](char32_t d) { return utf8proc_category(number(d)) == UTF8PROC_CATEGORY_ND; };
  if (!is_digit(c)) return -1;
  constexpr char32_t first_mathematical = 0x1D7CE, last_mathematical = 0x1D7FF;  // five times ten in a row
  if (c >= first_mathematical && c <= last_mathematical) return static_cast<int>((c - first_mathematical) % 10);
  // All other tens begin at a multiple of 16, or at 6 more than one.
  const auto low = static_cast<int>(c & 0xFU);
  return is_digit((c & ~char32_t{0xF}) | 0xAU) ? low - 6 : low;
}

Numeral numeral(char32_t c) {
  using Kind = Numeral::Kind;
  if (const int value = digit_value(c); value >= 0) return {Kind::plain, {static_cast<char32_t>(U'0' + value)}};
  if (utf8proc_category(number(c)) != UTF8PROC_CATEGORY_NO) return {};
  const auto type = utf8proc_get_property(number(c))->decomp_type;
  if (type == 0 || type == UTF8PROC_DECOMP_TYPE_SUB) return {};
  std::array<utf8proc_int32_t, 8> parts{};
  const auto length =
      utf8proc_decompose_char(number(c), parts.data(), parts.size(),
                              static_cast<utf8proc_option_t>(UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE), nullptr);
  if (length < 1 || length > static_cast<utf8proc_ssize_t>(parts.size())) return {};
  Numeral found{type == UTF8PROC_DECOMP_TYPE_FRACTION ? Kind::fraction
                : type == UTF8PROC_DECOMP_TYPE_SUPER  ? Kind::raised
                                                      : Kind::plain,
                {parts.begin(), parts.begin() + length}};
  constexpr char32_t fraction_slash = 0x2044;
  const auto is_part = [&](char32_t d) {
    return (d >= U'0' && d <= U'9') || (d == fraction_slash && found.kind == Kind::fraction);
  };
  return std::all_of(found.digits.begin(), found.digits.end(), is_part) ? found : Numeral{};
}

LetterCase case_of(char32_t c) {
  const utf8proc_category_t category = utf8proc_category(number(c));
  if (category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT) return LetterCase::capital;
  return category == UTF8PROC_CATEGORY_LL ? LetterCase::small : LetterCase::none;
}

std::size_t columns_of(char32_t c) {
  // utf8proc gives width 0 to vowel signs that stand beside their letter (Devanagari), and to code points that are
  // not assigned
  const utf8proc_category_t category = utf8proc_category(number(c));
  const auto columns = static_cast<std::size_t>(utf8proc_charwidth(number(c)));
  const bool has_one = category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_CN;
  return columns == 0 && has_one ? 1 : columns;
}

std::string unicode_version() {
  return std::string("Unicode ") + utf8proc_unicode_version() + ", utf8proc " + utf8proc_version();
}

}  // namespace gradus
