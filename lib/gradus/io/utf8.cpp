#include "gradus/io/utf8.hpp"

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr char32_t last_code_point = 0x10FFFF;

bool is_surrogate(char32_t value) { return value >= 0xD800 && value <= 0xDFFF; }

}  // namespace

CodePoint decode_utf8(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC2 || lead > 0xF4)
    return {};  // a continuation byte, or a first byte that is only used by overlong or too large values

  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length) return {};
  char32_t value = lead & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (overlong || is_surrogate(value) || value > last_code_point) return {};
  return {value, length};
}

void append_utf8(std::string& text, char32_t value) {
  if (is_surrogate(value) || value > last_code_point) {
    fail("not a Unicode scalar value: " + std::to_string(static_cast<unsigned long>(value)));
  }
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (value < 0x80) return put(value);
  if (value < 0x800) {
    put(0xC0 | value >> 6);
  } else if (value < 0x10000) {
    put(0xE0 | value >> 12);
    put(0x80 | (value >> 6 & 0x3F));
  } else {
    put(0xF0 | value >> 18);
    put(0x80 | (value >> 12 & 0x3F));
    put(0x80 | (value >> 6 & 0x3F));
  }
  put(0x80 | (value & 0x3F));
}

std::size_t utf8_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = decode_utf8(text.substr(at)).length;
    if (length == 0) break;
    at += length;
  }
  return at;
}

std::u32string code_points(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text.substr(at));
    if (point.length == 0) fail("not UTF-8: byte " + std::to_string(at + 1) + " of a text");
    points.push_back(point.value);
    at += point.length;
  }
  return points;
}

std::string to_utf8(std::u32string_view points) {
  std::string text;
  text.reserve(points.size());
  for (const char32_t point : points) append_utf8(text, point);
  return text;
}

}  // namespace gradus
