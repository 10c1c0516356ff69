#include "11_translator/training/table_text.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// The words of which people make names of columns: their role, languages, and codes of languages.
const std::set<std::string>& column_words() {
  static const std::set<std::string> all = {
      "source",     "src",     "target", "tgt",      "trg",       "translation", "translations", "translated",
      "sentence",   "text",    "line",   "segment",  "string",    "input",       "output",       "original",
      "reference",  "ref",     "lang",   "language", "sentences", "english",     "german",       "french",
      "spanish",    "italian", "dutch",  "czech",    "polish",    "russian",     "chinese",      "japanese",
      "portuguese", "arabic",  "hindi",  "korean",   "turkish",   "deutsch",     "englisch",     "français",
      "anglais",    "español", "inglés", "eng",      "deu",       "ger",         "fra",          "fre",
      "spa",        "ita",     "rus",    "ces",      "ar",        "bg",          "bn",           "ca",
      "cs",         "cz",      "da",     "de",       "el",        "en",          "es",           "et",
      "fa",         "fi",      "fr",     "he",       "hi",        "hr",          "hu",           "id",
      "it",         "ja",      "ko",     "lt",       "lv",        "nb",          "nl",           "no",
      "pl",         "pt",      "ro",     "ru",       "sk",        "sl",          "sr",           "sv",
      "ta",         "th",      "tr",     "uk",       "ur",        "us",          "gb",           "br",
      "vi",         "zh",      "cn"};
  return all;
}

bool is_letter_or_more(char c) { return static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z'); }

}  // namespace

bool is_column_name(const std::string& cell) {
  constexpr std::size_t longest = 40;  // bytes
  if (cell.size() > longest || cell.find_first_of(".!?;") != cell.npos) return false;
  const std::string small = lower_case(cell);
  bool has_word = false;
  for (auto begin = small.begin(); begin != small.end();) {
    begin = std::find_if(begin, small.end(), is_letter_or_more);
    const auto end = std::find_if_not(begin, small.end(), is_letter_or_more);
    if (begin != end && column_words().count(std::string(begin, end)) == 0) return false;
    has_word = has_word || begin != end;
    begin = end;
  }
  return has_word;
}

bool is_csv_quoted(const std::string& cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return false;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    if (cell[i] != '"') continue;
    if (i + 2 >= cell.size() || cell[i + 1] != '"') return false;
    ++i;
  }
  return true;
}

std::string fault_of_names(const LinePairs& lines, const std::string& origin) {
  if (lines.source.empty()) return "";
  const std::string &source = lines.source[0], &target = lines.target[0];
  if (!is_column_name(source) || !is_column_name(target) || source == target) return "";
  return "the first pair of " + origin + ", " + quoted(source) + " and " + quoted(target) +
         ", looks like names of columns, and is taken as sentences; if it is no pair, remove the line";
}

std::string fault_of_numbers(const LinePairs& lines, const std::string& part) {
  const auto has_letter = [](const std::string& line) {
    const std::u32string all = code_points(line);
    return std::any_of(all.begin(), all.end(), is_unicode_letter);
  };
  for (const auto& [side, texts] : {std::pair{"sources", &lines.source}, std::pair{"targets", &lines.target}}) {
    std::size_t without = 0, all = 0;
    const std::string* first = nullptr;
    for (const std::string& line : *texts) {
      if (line.empty()) continue;
      ++all;
      if (has_letter(line)) continue;
      ++without;
      if (first == nullptr) first = &line;
    }
    if (2 * without > all)
      return "most " + part + " " + side + " have no letter, such as " + quoted(*first) +
             "; if this is a column of numbers, take that of the sentences";
  }
  return "";
}

std::string fault_of_quotes(const LinePairs& lines, const std::string& origin) {
  std::size_t in_quotes = 0;
  const std::string *first = nullptr, *doubled = nullptr;
  for (const auto* side : {&lines.source, &lines.target}) {
    for (const std::string& cell : *side) {
      if (!is_csv_quoted(cell)) continue;
      ++in_quotes;
      if (first == nullptr) first = &cell;
      if (doubled == nullptr && cell.size() > 2 && cell.find('"', 1) != cell.size() - 1) doubled = &cell;
    }
  }
  const bool mostly = in_quotes > lines.source.size();  // more than half of both sides
  if (doubled == nullptr && !mostly) return "";
  return origin + ": quotes as a table in CSV has them, such as " + quoted(doubled != nullptr ? *doubled : *first) +
         ", are taken as text; a program that reads CSV removes them";
}

}  // namespace gradus
