#include "11_translator/warnings/repetition.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "11_translator/warnings/number_languages.hpp"
#include "11_translator/warnings/scripts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

constexpr std::size_t most_words = 8, most_characters = 20;

/// A part of a sequence that is repeated several times in a row.
struct Repeats {
  std::size_t begin = 0, length = 0, times = 0;  // length 0: none
};

/// The first part of `length` elements that is repeated at least `times` times in a row and for which `counts` is
/// true.
template <class Sequence, class Counts>
Repeats first_run(const Sequence& all, std::size_t length, std::size_t times, const Counts& counts) {
  std::size_t same = 0;  // number of elements up to here that equal the element `length` before
  Repeats run;
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

/// White space separates words; beside letters of scripts without spaces, punctuation does too.
std::vector<std::u32string> words_of_text(const std::string& text) {
  const std::u32string points = code_points(text);
  const auto is_unspaced = [&](std::size_t i) { return i < points.size() && is_unspaced_letter(points[i]); };
  std::vector<std::u32string> words(1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool ends =
        is_white_space(points[i]) || (is_punctuation(points[i]) && (is_unspaced(i - 1) || is_unspaced(i + 1)));
    if (!ends) {
      words.back().push_back(points[i]);
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
    const Repeats run = first_run(word, length, length == 1 ? 4 : 3, [&](std::size_t begin) {
      const auto part = word.begin() + static_cast<std::ptrdiff_t>(begin);
      return length == 1 ? !is_digit(*part)
                         : std::any_of(part, part + static_cast<std::ptrdiff_t>(length), is_unicode_letter);
    });
    if (run.length == 0) continue;
    const std::u32string part = word.substr(run.begin, run.length), letters = core(word);
    const bool has_part = letters.find(part) != letters.npos;
    return {to_utf8(part), run.times, to_utf8(has_part ? letters : word)};
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

std::vector<std::string> in_lower_case(std::vector<std::string> words) {
  for (std::string& word : words) word = lower_case(word);
  return words;
}

/// The fewest letters of a part that must not stand twice in a row inside text without spaces. Shorter ones are words that are doubled on
/// purpose: in syllables (ゆっくりゆっくり), and in scripts that write a doubled word out.
std::size_t fewest_twice(const std::u32string& part) {
  const auto all = [&](const auto& is) { return std::all_of(part.begin(), part.end(), is); };
  if (all(is_kana)) return 6;
  const bool is_wide = all([](char32_t c) { return columns_of(c) == 2; });
  const bool is_thai_or_lao = all([](char32_t c) { return c >= 0xE00 && c <= 0xEFF; });
  return is_wide || is_thai_or_lao ? 4 : 8;
}

/// A phrase twice in a row in text without spaces.
Repetition repeated_unspaced(const std::string& text) {
  for (const std::u32string& word : words_of_text(text)) {
    for (std::size_t length = 4; 2 * length <= word.size() && length <= most_characters; ++length) {
      const Repeats run = first_run(word, length, 2, [&](std::size_t begin) {
        const std::u32string part = word.substr(begin, length);
        return std::all_of(part.begin(), part.end(), is_unspaced_letter) && length >= fewest_twice(part);
      });
      if (run.length != 0) return {to_utf8(word.substr(run.begin, run.length)), run.times};
    }
  }
  return {};
}

bool has_unspaced(const std::u32string& text) { return std::any_of(text.begin(), text.end(), is_unspaced_letter); }

/// The most times that anything stands in a row: words, or letters of a script without spaces; 1 if nothing is repeated.
std::size_t most_times(const std::string& text) {
  std::size_t most = 1;
  const auto count = [&](const auto& all, std::size_t shortest, std::size_t longest) {
    for (std::size_t length = shortest; length <= longest; ++length) {
      std::size_t same = 0;
      for (std::size_t i = length; i < all.size(); ++i) {
        same = all[i] == all[i - length] ? same + 1 : 0;
        most = std::max(most, same / length + 1);
      }
    }
  };
  count(in_lower_case(cores_of_text(text)), 1, most_words);
  for (const std::u32string& word : words_of_text(text)) {
    if (has_unspaced(word)) count(word, 1, most_characters);
  }
  const Repetition characters = repeated_characters(text);
  return std::max(most, characters.times);
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

/// The fewest letters of a word that must not stand twice in a row; 0: any may. French says "nous nous", Dutch "haar haar"; in Hindi and
/// Turkish doubled words are adverbs, and so are those of Arabic that end in an alif.
std::size_t fewest_of_one(const std::u32string& word, const std::string& language) {
  constexpr std::size_t usual = 5, cyrillic = 4, without_vowels = 3;
  const char32_t first = word.front();
  const auto in = [&](char32_t begin, char32_t end) { return first >= begin && first < end; };
  if (language == "tr" || in(0x900, 0xE00) || is_unspaced_letter(first)) return 0;
  if (is_cyrillic(first)) return cyrillic;
  if (!in(0x590, 0x900)) return usual;
  return word.back() == 0x627 || word.back() == 0x64B ? 0 : without_vowels;
}

/// Whether it is an article or another frequent word: "von denen die eine einen Hut hat" repeats nothing.
bool is_frequent(const std::u32string& word, const std::string& language) {
  const auto& all = number_languages();
  const bool is_known =
      std::any_of(all.begin(), all.end(), [&](const NumberLanguage& l) { return l.code == language; });
  return std::any_of(all.begin(), all.end(), [&](const NumberLanguage& l) {
    if (is_known && l.code != language) return false;
    return std::find(l.frequent.begin(), l.frequent.end(), word) != l.frequent.end() ||
           std::any_of(l.articles.begin(), l.articles.end(), [&](const WordPattern& p) { return p.fits(word); });
  });
}

}  // namespace

bool says_a_word_twice(const std::string& text) {
  const std::vector<std::string> words = in_lower_case(cores_of_text(text));
  return std::adjacent_find(words.begin(), words.end()) != words.end();
}

Repetition repeated_words(const std::string& text) {
  const std::vector<std::string> words = cores_of_text(text), compared = in_lower_case(words);
  for (std::size_t length = 1; length <= most_words; ++length) {
    const Repeats run = first_run(compared, length, length == 1 ? 3 : 2, [](std::size_t) { return true; });
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

Repetition repeated_forms(const std::string& text, bool also_different, const std::string& language) {
  constexpr std::size_t fewest_of_two = 3;
  return neighbouring_forms(text, [&](const std::u32string& a, const std::u32string& b) {
    if (is_unspaced_letter(a.front())) return false;
    const std::size_t fewest = fewest_of_one(a, language);
    if (a == b) return fewest != 0 && a.size() >= fewest;
    return also_different && std::min(a.size(), b.size()) >= fewest_of_two && !is_frequent(a, language) &&
           !is_frequent(b, language);
  });
}

Repetition repetition(const std::string& source, const std::string& translation, const std::string& language) {
  // What is a word twice in one script may be letters twice in the other.
  const std::size_t allowed = has_unspaced(code_points(source + translation)) ? most_times(source) : 0;
  Repetition found = repeated_words(translation);
  if (found.times > std::max(allowed, repeated_words(source).times)) return found;
  found = repeated_characters(translation);
  if (found.times > allowed && repeated_characters(source).part.empty()) return found;
  found = repeated_unspaced(translation);
  if (found.times > allowed) return found;
  const bool has_more_words = cores_of_text(translation).size() > cores_of_text(source).size();
  found = repeated_forms(translation, has_more_words, language);
  const auto any = [](const auto&, const auto&) { return true; };
  if (!found.part.empty() && neighbouring_forms(source, any).part.empty()) return found;
  return {};
}

}  // namespace gradus
