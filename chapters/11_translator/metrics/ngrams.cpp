#include "11_translator/metrics/ngrams.hpp"

#include <algorithm>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

std::string_view first_character(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(decode_utf8(text).length, 1));
}

}  // namespace

bool is_python_space(char32_t c) { return is_white_space(c) || (c >= 0x1c && c <= 0x1f); }

std::string join_words(std::string_view line, std::string_view separator) {
  std::string joined;
  bool after_space = false;
  for (const std::string_view character : split_characters(line)) {
    if (is_python_space(decode_utf8(character).value)) {
      after_space = true;
      continue;
    }
    if (after_space && !joined.empty()) joined += separator;
    after_space = false;
    joined += character;
  }
  return joined;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::vector<std::string_view> split_characters(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    characters.push_back(first_character(text));
    text.remove_prefix(characters.back().size());
  }
  return characters;
}

NgramCounts count_ngrams(const std::vector<std::string_view>& pieces, std::size_t n) {
  NgramCounts counts;
  for (std::size_t first = 0; first + n <= pieces.size(); ++first) {
    const std::string_view last = pieces[first + n - 1];
    const char* begin = pieces[first].data();
    ++counts[std::string_view(begin, static_cast<std::size_t>(last.data() + last.size() - begin))];
  }
  return counts;
}

long matches(const NgramCounts& hypothesis, const NgramCounts& reference) {
  long sum = 0;
  for (const auto& [ngram, count] : hypothesis) {
    const auto found = reference.find(ngram);
    if (found != reference.end()) sum += std::min(count, found->second);
  }
  return sum;
}

void keep_most(NgramCounts& most, const NgramCounts& more) {
  for (const auto& [ngram, count] : more) {
    long& known = most[ngram];
    known = std::max(known, count);
  }
}

long total_count(const NgramCounts& counts) {
  long sum = 0;
  for (const auto& entry : counts) sum += entry.second;
  return sum;
}

void require_pairs(const char* metric, std::size_t translations, std::size_t references) {
  if (translations == references && translations > 0) return;
  fail(std::string(metric) + " needs one reference for each translation: got " + std::to_string(translations) +
       " translations and " + std::to_string(references) + " references");
}

std::string number_of_references(std::size_t references) {
  return "nrefs:" + (references == varying_references ? std::string("var") : std::to_string(references));
}

}  // namespace gradus
