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

bool goes_on(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }  // a continuation byte

/// C0, delete, and C1, which are U+0080 to U+009F.
bool is_control(const std::string& character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

std::string quoted(const std::string& text) {
  constexpr std::size_t longest = 120;
  const std::string whole = spelled(text, true);
  return whole.size() <= longest ? whole : whole.substr(0, longest) + "...";
}

std::string printable(const std::string& text) {
  const auto sound = nlohmann::json::parse(spelled(text, false)).get<std::string>();
  std::string result;
  for (std::size_t begin = 0, end = 0; begin < sound.size(); begin = end) {
    for (end = begin + 1; end < sound.size() && goes_on(sound[end]);) ++end;
    const std::string character = sound.substr(begin, end - begin), spelt = spelled(character, true);
    result += is_control(character) ? spelt.substr(1, spelt.size() - 2) : character;
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
