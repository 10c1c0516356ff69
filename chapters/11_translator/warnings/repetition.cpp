#include "11_translator/warnings/repetition.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

constexpr std::size_t most_words = 8, most_characters = 20;

/// A part of a sequence that is repeated several times in a row.
struct Run {
  std::size_t begin = 0, length = 0, times = 0;  // length 0: none
};

/// The first part of `length` elements that is repeated at least `times` times in a row and for which `counts` is
/// true.
template <class Sequence, class Counts>
Run first_run(const Sequence& all, std::size_t length, std::size_t times, const Counts& counts) {
  std::size_t same = 0;  // number of elements up to here that equal the element `length` before
  Run run;
  for (std::size_t i = length; i < all.size(); ++i) {
    same = all[i] == all[i - length] ? same + 1 : 0;
    const std::size_t begin = i + 1 - same - length;
    if (same < (times - 1) * length || !counts(begin)) {
      if (run.length != 0) break;
      continue;
    }
    run = {begin, length, same / length + 1};
  }
  return run;
}

std::vector<std::u32string> words_of_text(const std::string& text) {
  std::vector<std::u32string> words(1);
  for (const char32_t c : code_points(text)) {
    if (!is_white_space(c)) {
      words.back().push_back(c);
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

/// The word without punctuation at its ends; empty if it has only punctuation.
std::u32string core(const std::u32string& word) {
  const auto first = std::find_if(word.begin(), word.end(), is_word_character);
  const auto last = std::find_if(word.rbegin(), word.rend(), is_word_character).base();
  return first < last ? std::u32string(first, last) : std::u32string();
}

Repetition repeated_in(const std::u32string& word) {
  const auto is_digit = [](char32_t c) { return c >= U'0' && c <= U'9'; };
  for (std::size_t length = 1; length <= most_characters; ++length) {
    const Run run = first_run(word, length, length == 1 ? 4 : 3, [&](std::size_t begin) {
      const auto part = word.begin() + static_cast<std::ptrdiff_t>(begin);
      return length == 1 ? !is_digit(*part)
                         : std::any_of(part, part + static_cast<std::ptrdiff_t>(length), is_unicode_letter);
    });
    if (run.length != 0) return {to_utf8(word.substr(run.begin, run.length)), run.times};
  }
  return {};
}

/// The words of a text without punctuation.
std::vector<std::string> cores_of_text(const std::string& text) {
  std::vector<std::string> words;
  for (const std::u32string& word : words_of_text(text)) {
    if (const std::u32string letters = core(word); !letters.empty()) words.push_back(to_utf8(letters));
  }
  return words;
}

/// Whether the longer word is the shorter one with at most two letters more, at most half as many as that has: dog, dogs.
bool is_form(std::u32string a, std::u32string b) {
  if (a.size() > b.size()) std::swap(a, b);
  const std::size_t more = b.size() - a.size();
  return is_unicode_letter(a.front()) && more <= 2 && 2 * more <= a.size() && b.compare(0, a.size(), a) == 0;
}

/// The first neighbouring words without a sign between them that are forms of one word, and for which `counts` is true.
template <class Counts>
Repetition neighbouring_forms(const std::string& text, const Counts& counts) {
  const std::vector<std::u32string> words = words_of_text(text);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::u32string a = core(words[i - 1]), b = core(words[i]);
    if (a.empty() || b.empty() || a.back() != words[i - 1].back() || b.front() != words[i].front()) continue;
    const std::u32string first = code_points(lower_case(to_utf8(a))), second = code_points(lower_case(to_utf8(b)));
    if (!is_form(first, second) || !counts(first, second)) continue;
    return first == second ? Repetition{to_utf8(a), 2} : Repetition{to_utf8(a) + ' ' + to_utf8(b), 1};
  }
  return {};
}

std::vector<std::string> in_lower_case(std::vector<std::string> words) {
  for (std::string& word : words) word = lower_case(word);
  return words;
}

}  // namespace

bool says_a_word_twice(const std::string& text) {
  const std::vector<std::string> words = in_lower_case(cores_of_text(text));
  return std::adjacent_find(words.begin(), words.end()) != words.end();
}

Repetition repeated_words(const std::string& text) {
  const std::vector<std::string> words = cores_of_text(text), compared = in_lower_case(words);
  for (std::size_t length = 1; length <= most_words; ++length) {
    const Run run = first_run(compared, length, length == 1 ? 3 : 2, [](std::size_t) { return true; });
    if (run.length == 0) continue;
    Repetition found{words[run.begin], run.times};
    for (std::size_t i = 1; i < run.length; ++i) found.part += ' ' + words[run.begin + i];
    return found;
  }
  return {};
}

Repetition repeated_characters(const std::string& text) {
  for (const std::u32string& word : words_of_text(text)) {
    Repetition found = repeated_in(word);
    if (!found.part.empty()) return found;
  }
  return {};
}

Repetition repeated_forms(const std::string& text, bool also_different) {
  constexpr std::size_t fewest_of_one = 5, fewest_of_two = 3;  // French says "nous nous", Dutch "haar haar"
  return neighbouring_forms(text, [&](const std::u32string& a, const std::u32string& b) {
    return a == b ? a.size() >= fewest_of_one : also_different && std::min(a.size(), b.size()) >= fewest_of_two;
  });
}

Repetition repetition(const std::string& source, const std::string& translation) {
  Repetition found = repeated_words(translation);
  if (found.times > repeated_words(source).times) return found;
  found = repeated_characters(translation);
  if (!found.part.empty() && repeated_characters(source).part.empty()) return found;
  const bool has_more_words = cores_of_text(translation).size() > cores_of_text(source).size();
  found = repeated_forms(translation, has_more_words);
  const auto any = [](const auto&, const auto&) { return true; };
  if (!found.part.empty() && neighbouring_forms(source, any).part.empty()) return found;
  return {};
}

}  // namespace gradus
