#include "gradus/io/utf8.hpp"

#include <utf8proc.h>

#include "gradus/util/error.hpp"

namespace gradus {

CodePoint decode_utf8(std::string_view text) {
  utf8proc_int32_t value = 0;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const utf8proc_ssize_t length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &value);
  return length <= 0 ? CodePoint{} : CodePoint{static_cast<char32_t>(value), static_cast<std::size_t>(length)};
}

void append_utf8(std::string& text, char32_t value) {
  if ((value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF) {
    fail("not a Unicode scalar value: " + std::to_string(static_cast<unsigned long>(value)));
  }
  utf8proc_uint8_t bytes[4];
  const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(value), bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
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
