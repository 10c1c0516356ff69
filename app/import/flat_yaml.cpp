#include "app/import/flat_yaml.hpp"

#include <algorithm>
#include <cstddef>

#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

constexpr std::string_view word_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+:/ ";

/// A plain word or one in quotes; false if it is neither.
bool take_word(std::string_view text, std::string& word) {
  const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  if (is_quoted) text = text.substr(1, text.size() - 2);
  word = std::string(text);
  return (is_quoted || !text.empty()) && text.find_first_not_of(word_characters) == text.npos;
}

}  // namespace

std::map<std::string, FlatValue> parse_flat_yaml(std::string_view text, const std::string& name) {
  constexpr std::string_view item = "  - ";
  std::map<std::string, FlatValue> values;
  FlatValue* list = nullptr;  // the one that may go on
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto refuse = [&](const char* what) {
      fail(name + ": line " + std::to_string(number) + what + quoted(std::string(line)));
    };
    std::string word;
    if (list != nullptr && list->words.empty() && line == "  []") {
      list = nullptr;
      continue;
    }
    if (list != nullptr && line.substr(0, item.size()) == item) {
      if (!take_word(line.substr(item.size()), word)) refuse(" is no item of a list: ");
      list->words.push_back(word);
      continue;
    }
    const std::size_t colon = line.find(':');
    const std::string_view key = line.substr(0, colon);
    if (colon == line.npos || key.empty() || key.find_first_not_of(word_characters.substr(0, 64)) != key.npos)
      refuse(" has another form than \"key: value\": ");
    const auto [place, is_new] = values.emplace(key, FlatValue{});
    if (!is_new) refuse(" has a key that comes twice: ");
    FlatValue& value = place->second;
    const std::string_view rest = line.substr(colon + 1);
    value.is_list = rest.empty() || rest == " []";
    list = rest.empty() ? &value : nullptr;
    if (value.is_list) continue;
    if (rest.front() != ' ' || !take_word(rest.substr(1), word)) refuse(" has another form than \"key: value\": ");
    value.words = {word};
  }
  return values;
}

std::string shown(const FlatValue& value) {
  if (!value.is_list) return quoted(value.words.front());
  std::string all;
  for (const std::string& word : value.words) all += (all.empty() ? "" : ", ") + word;
  return "[" + printable(all) + "]";
}

}  // namespace gradus
