#include "gradus/util/quoted.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

namespace gradus {
namespace {

/// `text` in quotes, as in JSON; bytes that are not UTF-8 become U+FFFD.
std::string spelled(const std::string& text, bool ascii) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', ascii, json::error_handler_t::replace);
}

constexpr std::size_t most_bytes = 4;  // of a character

/// The bytes of the character that begins at `begin`, by its first byte and as far as they go on; others stand alone.
std::size_t bytes_of(const std::string& text, std::size_t begin) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(begin);
  const std::size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : most_bytes;
  std::size_t end = begin + 1;
  while (end < text.size() && end < begin + length && (byte(end) & 0xc0) == 0x80) ++end;
  return end - begin;
}

bool is_utf8_character(const std::string& character) {
  const std::string replacement = "\xef\xbf\xbd";
  return character == replacement || spelled(character, false).find(replacement) == std::string::npos;
}

/// What a terminal obeys, or what breaks or turns round its line: C0, delete, C1 (U+0080 to U+009F), U+2028 to U+202E, U+2066 to
/// U+2069.
bool is_control(const std::string& character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  const auto last = static_cast<unsigned char>(character.back());
  if (character.compare(0, 2, "\xe2\x80") == 0) return last >= 0xa8 && last <= 0xae;
  if (character.compare(0, 2, "\xe2\x81") == 0) return last >= 0xa6 && last <= 0xa9;
  return first == 0xc2 && last < 0xa0;
}

/// "\xff" for each byte.
std::string hexadecimal(const std::string& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += std::string("\\x") + digits[byte / 16] + digits[byte % 16];
  }
  return text;
}

}  // namespace

std::string quoted(const std::string& text) {
  constexpr std::size_t longest = 120;
  const std::string whole = spelled(text, true);
  return whole.size() <= longest ? whole : whole.substr(0, longest) + "...";
}

std::string printable(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0, count = 0; begin < text.size(); begin += count) {
    count = bytes_of(text, begin);
    const std::string character = text.substr(begin, count);
    const bool is_sound = is_utf8_character(character);
    const std::string spelt = is_sound && is_control(character) ? spelled(character, true) : "";
    result += !is_sound ? hexadecimal(character) : spelt.empty() ? character : spelt.substr(1, spelt.size() - 2);
  }
  return result;
}

std::string shell_word(const std::string& word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string("-_./=:,+@%").find(c) != std::string::npos;
  });
  if (is_plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace gradus
