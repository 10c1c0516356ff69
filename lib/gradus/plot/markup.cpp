#include "gradus/plot/markup.hpp"

#include <charconv>
#include <cmath>

#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

constexpr char32_t replacement = 0xFFFD;

/// What stands for a code point where it is shown.
char32_t picture_of(char32_t c) {
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7F) return 0x2421;
  const bool c1 = c >= 0x80 && c < 0xA0;
  const bool no_character = (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
  return c1 || no_character ? replacement : c;
}

/// Calls f(code point) for what visible(text) consists of.
template <class F>
void each_visible(std::string_view text, F&& f) {
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    f(point.length == 0 ? replacement : picture_of(point.value));
    text.remove_prefix(point.length == 0 ? 1 : point.length);
  }
}

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool within(char32_t c, const Range (&ranges)[N]) {
  for (const Range& r : ranges) {
    if (c >= r.first && c <= r.last) return true;
  }
  return false;
}

/// Whole blocks (Unicode Standard Annex 11), which is exact enough to align labels.
std::size_t width_of(char32_t c) {
  static constexpr Range none[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},
                                   {0x64B, 0x65F},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F},
                                   {0x2060, 0x2064}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}};
  static constexpr Range wide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},
                                   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
                                   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  if (within(c, none)) return 0;
  return within(c, wide) ? 2 : 1;
}

/// In units of the font's size.
double letter_width(char32_t c) {
  constexpr std::u32string_view narrow = U"fijlrtI.,:;'|!()[]/- ", broad = U"mwMW<>@%&=+~OQ";
  if (c >= 0x80) return width_of(c) == 1 ? 0.67 : 1.02 * static_cast<double>(width_of(c)) / 2;
  if (narrow.find(c) != std::u32string_view::npos) return 0.42;
  if (broad.find(c) != std::u32string_view::npos) return 0.98;
  return c >= U'A' && c <= U'Z' ? 0.74 : 0.645;
}

template <class... Format>
std::string written(double value, Format... format) {
  if (!std::isfinite(value)) return "–";
  char text[400];  // 1.8e308 with all its digits
  const auto end = std::to_chars(text, text + sizeof text, value == 0 ? 0.0 : value, format...);
  return {text, end.ptr};
}

}  // namespace

std::string visible(std::string_view text) {
  std::string shown;
  each_visible(text, [&](char32_t c) { append_utf8(shown, c); });
  return shown;
}

std::string escaped(std::string_view text) {
  std::string markup;
  each_visible(text, [&](char32_t c) {
    switch (c) {
      case U'&':
        markup += "&amp;";
        break;
      case U'<':
        markup += "&lt;";
        break;
      case U'>':
        markup += "&gt;";
        break;
      case U'"':
        markup += "&quot;";
        break;
      case U'\'':
        markup += "&#39;";
        break;
      default:
        append_utf8(markup, c);
    }
  });
  return markup;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  each_visible(text, [&](char32_t c) { width += width_of(c); });
  return width;
}

double text_pixels(std::string_view text, double font_size) {
  double width = 0;
  each_visible(text, [&](char32_t c) { width += letter_width(c); });
  return width * font_size;
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return visible(text);
  std::string kept;
  std::size_t width = 0;
  bool full = false;
  each_visible(text, [&](char32_t c) {
    full = full || width + width_of(c) + 1 > columns;
    if (full) return;
    append_utf8(kept, c);
    width += width_of(c);
  });
  return kept + "…";
}

std::string number(double value, int digits) { return written(value, std::chars_format::general, digits); }

std::string fixed(double value, int digits) {
  // -0.00 is no number that a person writes
  const double smallest = 0.5 * std::pow(10.0, -digits);
  return written(std::abs(value) < smallest ? 0.0 : value, std::chars_format::fixed, digits);
}

}  // namespace gradus
