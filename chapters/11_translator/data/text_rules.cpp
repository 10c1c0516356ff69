#include "11_translator/data/text_rules.hpp"

#include "gradus/io/normal_text.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

bool joins_words(char32_t c) { return c == U'\'' || c == U'\u2019' || c == U'-' || c == U'\u2010'; }

}  // namespace

std::string without_punctuation(const std::string& text) {
  const std::u32string points = code_points(text);
  const auto is_in_word = [&](std::size_t i) { return i < points.size() && is_word_character(points[i]); };
  std::string kept;
  kept.reserve(text.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_punctuation(points[i])) {
      append_utf8(kept, points[i]);
    } else if (!(joins_words(points[i]) && i > 0 && is_in_word(i - 1) && is_in_word(i + 1))) {
      kept += ' ';
    }
  }
  return kept;
}

std::string apply_rules(const TextRules& rules, const std::string& text) {
  const std::string read = rules.normalisation == Normalisation::always ? normal_text(text) : text;
  const std::string marked = rules.lower_case ? lower_case(read) : read;
  return rules.punctuation ? marked : without_punctuation(marked);
}

std::vector<std::string> comparable(const TextRules& rules, const std::vector<std::string>& references) {
  std::vector<std::string> result;
  for (const std::string& reference : references)
    result.push_back(apply_rules({false, rules.punctuation}, reference));
  return result;
}

}  // namespace gradus
