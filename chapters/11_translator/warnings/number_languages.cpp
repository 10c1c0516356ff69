#include "11_translator/warnings/number_languages.hpp"

#include <sstream>
#include <utility>

#include "11_translator/warnings/number_language_rows.hpp"
#include "11_translator/warnings/scripts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

NumberLanguage language(const NumberLanguageRow& row) {
  NumberLanguage l;
  l.code = row.code;
  std::istringstream small(row.small);
  std::string cell;
  for (WordPatterns& words : l.small) {
    std::getline(small, cell, '|');
    words = word_patterns(cell);
  }
  l.articles = word_patterns(row.articles), l.large = word_patterns(row.large), l.half = word_patterns(row.half);
  for (const std::string& word : words_of(row.frequent)) l.frequent.push_back(code_points(word));
  return l;
}

bool is_apostrophe(char32_t c) { return c == U'\'' || c == U'\u2019' || c == U'\u02BC'; }

char32_t folded(char32_t c) { return c == U'ё' ? U'е' : c == U'ı' ? U'i' : c; }

}  // namespace

WordPattern::WordPattern(const std::string& text) {
  std::u32string rest = code_points(text);
  const auto takes = [&](char32_t sign) {
    const bool found = !rest.empty() && rest.front() == sign;
    if (found) rest.erase(0, 1);
    return found;
  };
  needs_language_ = takes(U'!');
  any_before_ = takes(U'*');
  some_before_ = takes(U'+');
  any_behind_ = rest.back() == U'*';
  if (any_behind_) rest.pop_back();
  part_ = std::move(rest);
}

bool WordPattern::fits(const std::u32string& word) const {
  if (word.size() < part_.size()) return false;
  if (!any_before_ && !some_before_) return any_behind_ ? word.compare(0, part_.size(), part_) == 0 : word == part_;
  const std::size_t at = any_behind_ ? word.find(part_, some_before_ ? 1 : 0) : word.size() - part_.size();
  return at != word.npos && (at > 0 || any_before_) && word.compare(at, part_.size(), part_) == 0;
}

WordPatterns word_patterns(const std::string& text) {
  WordPatterns all;
  for (const std::string& word : words_of(text)) all.emplace_back(word);
  return all;
}

const std::vector<NumberLanguage>& number_languages() {
  static const std::vector<NumberLanguage> all = [] {
    std::vector<NumberLanguage> languages;
    for (const NumberLanguageRow& row : number_language_rows) languages.push_back(language(row));
    return languages;
  }();
  return all;
}

std::vector<std::u32string> folded_words(const std::string& text, bool beside_digits) {
  constexpr char32_t dot_above = 0x307;  // the lower case of Turkish İ is i with it
  std::vector<std::u32string> words;
  std::u32string word;
  bool is_behind_digit = false;
  for (const char32_t c : code_points(lower_case(text) + " ")) {
    if (c == dot_above || (is_apostrophe(c) && !word.empty() && is_cyrillic(word.back()))) continue;
    const bool is_digit = digit_value(c) >= 0;
    if (is_word_character(c) && !is_digit) {
      word.push_back(folded(c));
      continue;
    }
    if (!word.empty() && (beside_digits || !(is_digit || is_behind_digit))) words.push_back(word);
    word.clear();
    is_behind_digit = is_digit;
  }
  return words;
}

}  // namespace gradus
