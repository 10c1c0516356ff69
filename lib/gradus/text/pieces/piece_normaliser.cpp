#include "gradus/text/pieces/piece_normaliser.hpp"

#include <algorithm>

#include "gradus/io/utf8.hpp"
#include "gradus/util/ends_with.hpp"

namespace gradus {

std::size_t character_length(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  const std::size_t length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  return std::min(length, text.size());
}

PieceNormaliser::PieceNormaliser(const NormaliserSettings& settings, const PrefixTree& symbols,
                                 const std::string& where)
    : settings_(settings), symbols_(symbols), space_(settings.escape_spaces ? "\u2581" : " ") {
  if (!settings.rules.empty()) rules_ = Charsmap(settings.rules, where);
  settings_.rules.clear();
}

/// What the start of `text` becomes: a symbol stays, the longest rule comes next, and else a character stays.
Charsmap::Rule PieceNormaliser::first(std::string_view text) const {
  const std::size_t symbol = symbols_.longest(text);
  if (symbol > 0) return {symbol, text.substr(0, symbol)};
  const Charsmap::Rule rule = rules_.longest(text);
  if (rule.length > 0) return rule;
  const std::size_t length = decode_utf8(text).length;
  if (length == 0) return {1, "\ufffd"};
  return {length, text.substr(0, length)};
}

void PieceNormaliser::append(std::string& to, std::string_view text) const {
  for (const char c : text) c == ' ' ? to += space_ : to += c;
}

std::string PieceNormaliser::operator()(std::string_view text) const {
  const bool removes = settings_.remove_extra_spaces;
  for (Charsmap::Rule rule; removes && !text.empty() && (rule = first(text)).by == " ";)
    text.remove_prefix(rule.length);
  std::string result;
  if (text.empty()) return result;
  if (settings_.add_dummy_prefix && !settings_.space_as_suffix) result += space_;
  bool after_space = removes;
  while (!text.empty()) {
    const Charsmap::Rule rule = first(text);
    std::string_view by = rule.by;
    while (after_space && !by.empty() && by.front() == ' ') by.remove_prefix(1);
    append(result, by);
    if (!by.empty()) after_space = removes && by.back() == ' ';
    text.remove_prefix(rule.length);
  }
  while (removes && ends_with(result, space_)) result.resize(result.size() - space_.size());
  if (settings_.add_dummy_prefix && settings_.space_as_suffix) result += space_;
  return result;
}

}  // namespace gradus
