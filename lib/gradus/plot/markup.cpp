#include "gradus/plot/markup.hpp"

#include <charconv>
#include <cmath>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

constexpr char32_t replacement = 0xFFFD;

/// The code point that is shown in place of `c`.
char32_t picture_of(char32_t c) {
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7F) return 0x2421;
  const bool c1 = c >= 0x80 && c < 0xA0;
  const bool no_character = (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
  return c1 || no_character ? replacement : c;
}

/// Calls f(code point) for each code point of visible(text).
template <class F>
void each_visible(std::string_view text, F&& f) {
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    f(point.length == 0 ? replacement : picture_of(point.value));
    text.remove_prefix(point.length == 0 ? 1 : point.length);
  }
}

/// In units of the font size.
double letter_width(char32_t c) {
  constexpr std::u32string_view narrow = U"fijlrtI.,:;'|!()[]/- ", broad = U"mwMW<>@%&=+~OQ";
  if (c >= 0x80) return columns_of(c) == 1 ? 0.67 : 1.02 * static_cast<double>(columns_of(c)) / 2;
  if (narrow.find(c) != std::u32string_view::npos) return 0.42;
  if (broad.find(c) != std::u32string_view::npos) return 0.98;
  return c >= U'A' && c <= U'Z' ? 0.74 : 0.645;
}

template <class... Format>
std::string written(double value, Format... format) {
  if (!std::isfinite(value)) return "–";
  char text[400];  // enough for 1.8e308 with all its digits
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
  constexpr std::u32string_view special = U"&<>\"'";
  constexpr const char* entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};  // of these, in their order
  std::string markup;
  each_visible(text, [&](char32_t c) {
    const std::size_t i = special.find(c);
    if (i == special.npos) {
      append_utf8(markup, c);
    } else {
      markup += entities[i];
    }
  });
  return markup;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  each_visible(text, [&](char32_t c) { width += columns_of(c); });
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
    full = full || width + columns_of(c) + 1 > columns;
    if (full) return;
    append_utf8(kept, c);
    width += columns_of(c);
  });
  return kept + "…";
}

std::string number(double value, int digits) { return written(value, std::chars_format::general, digits); }

std::string fixed(double value, int digits) {
  // -0.00 becomes 0.00
  const double smallest = 0.5 * std::pow(10.0, -digits);
  return written(std::abs(value) < smallest ? 0.0 : value, std::chars_format::fixed, digits);
}

}  // namespace gradus
