#include "app/import/vocabulary_yaml.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <system_error>
#include <utility>

#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// Takes the hexadecimal digits of a code point and appends it. Returns false if it is none.
bool take_code_point(std::string_view& rest, std::size_t digits, std::string& to) {
  std::uint32_t value = 0;
  const std::string_view number = rest.substr(0, digits);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value, 16);
  const bool is_surrogate = value >= 0xd800 && value < 0xe000;
  if (number.size() != digits || error != std::errc() || end != number.data() + digits || is_surrogate ||
      value > 0x10ffff)
    return false;
  append_utf8(to, value);
  rest.remove_prefix(digits);
  return true;
}

/// Takes what follows a backslash.
bool take_escape(std::string_view& rest, std::string& to) {
  if (rest.empty()) return false;
  const char kind = rest.front();
  rest.remove_prefix(1);
  switch (kind) {
    case '"':
    case '\\':
      to += kind;
      return true;
    case 'x':
      return take_code_point(rest, 2, to);
    case 'u':
      return take_code_point(rest, 4, to);
    case 'U':
      return take_code_point(rest, 8, to);
    default:
      return false;
  }
}

bool unquote_double(std::string_view inner, std::string& piece) {
  while (!inner.empty()) {
    const char c = inner.front();
    inner.remove_prefix(1);
    if (c == '"' || (c == '\\' && !take_escape(inner, piece))) return false;
    if (c != '\\') piece += c;
  }
  return true;
}

bool unquote_single(std::string_view inner, std::string& piece) {
  for (std::size_t k = 0; k < inner.size(); ++k) {
    if (inner[k] == '\'' && (++k == inner.size() || inner[k] != '\'')) return false;
    piece += inner[k];
  }
  return true;
}

/// The piece that a key stands for; false if it is none.
bool piece_of_key(std::string_view key, std::string& piece) {
  const bool is_quoted = key.size() >= 2 && key.front() == key.back();
  const std::string_view inner = is_quoted ? key.substr(1, key.size() - 2) : "";
  if (is_quoted && key.front() == '"') return unquote_double(inner, piece);
  if (is_quoted && key.front() == '\'') return unquote_single(inner, piece);
  piece = std::string(key);
  return !key.empty() && key.front() != '"' && key.front() != '\'' && key.front() != ' ';
}

/// The piece and the id of a line; false if it has another form.
bool take_row(std::string_view line, std::string& piece, std::size_t& id) {
  const std::size_t colon = line.rfind(": ");
  if (colon == line.npos) return false;
  const std::string_view digits = line.substr(colon + 2);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  return error == std::errc() && end == digits.data() + digits.size() && piece_of_key(line.substr(0, colon), piece);
}

}  // namespace

std::vector<std::string> parse_vocabulary_yaml(std::string_view text, const std::string& name) {
  std::map<std::size_t, std::string> by_id;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    std::size_t id = 0;
    std::string piece;
    if (!take_row(line, piece, id))
      fail(name + ": line " + std::to_string(number) +
           " has another form than \"piece: id\": " + quoted(std::string(line)));
    if (!by_id.emplace(id, piece).second) fail(name + ": the id of " + gradus::quoted(piece) + " comes twice");
  }
  if (!by_id.empty() && by_id.rbegin()->first >= by_id.size())
    fail(name + ": " + std::to_string(by_id.size()) + " pieces, but an id is " +
         std::to_string(by_id.rbegin()->first));
  std::vector<std::string> pieces;
  for (auto& [id, piece] : by_id) pieces.push_back(std::move(piece));
  if (pieces.size() < 2 || pieces[0] != "</s>" || pieces[1] != "<unk>")
    fail(name + ": the first two pieces are not </s> and <unk>");
  return pieces;
}

}  // namespace gradus
