#include "11_translator/warnings/number_words.hpp"

#include <algorithm>
#include <limits>

#include "11_translator/warnings/number_grammar.hpp"
#include "11_translator/warnings/scripts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

constexpr int largest_small = 12;
constexpr std::size_t any_number_of_times = std::numeric_limits<std::size_t>::max();

// Chinese, Japanese and Korean write numbers beside other words. Each string has the signs of one value.
constexpr const char32_t* signs[] = {U"零〇無无",
                                     U"一壱单単首하한일첫",
                                     U"二两兩双両雙俩둘두이",
                                     U"三叁仨셋세삼",
                                     U"四넷네사",
                                     U"五伍다섯오",
                                     U"六여섯육",
                                     U"七일곱칠",
                                     U"八여덟팔",
                                     U"九아홉구",
                                     U"十열십",
                                     U"十열십",
                                     U"十열십打"};
// In Japan's syllables; 0 to 12.
constexpr const char32_t* kana[] = {U"ゼロ", U"ひと",   U"ふた",   U"みっつ", U"よっつ",   U"いつつ", U"むっつ",
                                    U"なな", U"やっつ", U"ここの", U"とお",   U"イレブン", U"ダース"};
constexpr const char32_t* large_signs = U"十百千万萬億亿십백천만억열";
constexpr const char32_t* large_words[] = {U"스물", U"스무", U"서른", U"마흔", U"쉰",
                                           U"예순", U"일흔", U"여든", U"아흔"};

bool holds_any(const std::u32string& text, const char32_t* of) { return text.find_first_of(of) != text.npos; }

std::size_t count_of(const std::u32string& text, const char32_t* of) {
  const std::u32string set = of;
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [&](char32_t c) { return set.find(c) != set.npos; }));
}

/// Chinese characters and Hangul.
bool writes_signs(char32_t c) { return (c >= 0x3400 && c <= 0x9FFF) || is_syllable_of_hangul(c) || c == U'〇'; }

bool any_fits(const WordPatterns& patterns, const std::u32string& word, bool is_known) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const WordPattern& p) { return (is_known || !p.needs_language()) && p.fits(word); });
}

/// Whether the word says this small number in the language. "vierzig" says another one, though "vier*" fits. From 2 on, the first pattern
/// of each number is its cardinal.
bool says_small(const NumberLanguage& l, int value, const std::u32string& word, bool is_known, bool is_ordinal) {
  const WordPatterns& small = l.small[static_cast<std::size_t>(value)];
  if (is_ordinal && value > 1 && small.front().is(word)) return false;
  const bool may_be_larger = value <= 10 && any_fits(l.large, word, is_known);
  return std::any_of(small.begin(), small.end(), [&](const WordPattern& p) {
    return (is_known || !p.needs_language()) && p.fits(word) && !(p.is_open() && may_be_larger);
  });
}

}  // namespace

int small_value(const std::string& number) {
  const bool is_short =
      !number.empty() && number.size() <= 2 && number.find_first_not_of("0123456789") == number.npos;
  const int value = is_short ? std::stoi(number) : -1;
  return value > largest_small ? -1 : value;
}

NumberWords::NumberWords(const std::string& text, const std::string& language)
    : knows_values_(counts_in(language)),
      spoken_(spoken_numbers(text, language)),
      words_(folded_words(text, false)) {
  for (const NumberLanguage& one : number_languages()) {
    if (one.code == language) languages_ = {&one}, is_known_ = true;
  }
  for (const NumberLanguage& one : number_languages()) {
    if (!is_known_) languages_.push_back(&one);
  }
  for (const char32_t c : code_points(text)) {
    if (writes_signs(c) || is_kana(c)) unspaced_.push_back(c);
    has_known_script_ = has_known_script_ || is_latin_or_cyrillic(c) || writes_signs(c);
    has_other_script_ = has_other_script_ || (is_unicode_letter(c) && !is_latin_or_cyrillic(c) && !writes_signs(c));
  }
}

std::size_t NumberWords::count(WordPatterns NumberLanguage::*patterns) const {
  return static_cast<std::size_t>(std::count_if(words_.begin(), words_.end(), [&](const std::u32string& word) {
    return std::any_of(languages_.begin(), languages_.end(),
                       [&](const NumberLanguage* l) { return any_fits(l->*patterns, word, is_known_); });
  }));
}

std::size_t NumberWords::times_large() const {
  const auto words = std::count_if(std::begin(large_words), std::end(large_words),
                                   [&](const char32_t* word) { return unspaced_.find(word) != unspaced_.npos; });
  return count(&NumberLanguage::large) + count_of(unspaced_, large_signs) + static_cast<std::size_t>(words);
}

std::size_t NumberWords::times_small(int value, bool with_articles, bool is_ordinal) const {
  if (has_other_script_ && !has_known_script_) return any_number_of_times;
  std::size_t found = count_of(unspaced_, signs[value]);
  found += unspaced_.find(kana[value]) != unspaced_.npos ? 1 : 0;
  if (value == 1 && with_articles) found += count(&NumberLanguage::articles);
  for (const std::u32string& word : words_) {
    found += std::any_of(languages_.begin(), languages_.end(), [&](const NumberLanguage* l) {
      return says_small(*l, value, word, is_known_, is_ordinal);
    });
  }
  return found;
}

std::size_t NumberWords::times_spoken(const std::string& number) const {
  return static_cast<std::size_t>(
      std::count_if(spoken_.begin(), spoken_.end(), [&](const SpokenNumber& s) { return s.value == number; }));
}

/// "dozens", and "million" in "2.5 million"
std::size_t NumberWords::times_unknown() const {
  const NumberLanguage& language = *languages_.front();
  const auto words = std::count_if(words_.begin(), words_.end(), [&](const std::u32string& word) {
    return any_fits(language.large, word, true) && !number_word(to_utf8(word), language.code);
  });
  return times_spoken("") + static_cast<std::size_t>(words);
}

std::size_t NumberWords::times(const std::string& number, bool with_articles) const {
  const int value = small_value(number);
  if (value >= 0) return std::max(times_small(value, with_articles), times_spoken(number));
  if (number.find_first_of(".^") != number.npos) return 0;
  if (!knows_values_) return times_large();
  const bool is_decade = number.size() == 4 && number.back() == '0';
  return times_spoken(number) + times_unknown() +
         (is_decade ? times_spoken(number.substr(2)) : 0);  // 1950s, Fünfziger
}

/// A half or quarters, with the whole number before them: "dreieinhalb", "three quarters".
bool NumberWords::say_parts(const std::string& whole, const std::string& part) const {
  const int value = small_value(whole);
  const bool is_whole_said =
      value == 0 || value == 1 || (value > 1 && say_small(value)) || (value < 0 && times(whole) != 0);
  if (part == "5") return is_whole_said && (count(&NumberLanguage::half) != 0 || holds_any(unspaced_, U"半반"));
  return is_whole_said && say_small(4) && (part == "25" || (part == "75" && say_small(3)));
}

bool NumberWords::say_ordinal(const std::string& number) const {
  const int value = small_value(number);
  return value < 0 ? say(number) : times_small(value, false, true) != 0;
}

bool NumberWords::say(const std::string& number, bool with_articles) const {
  if (const std::size_t point = number.find('.'); point != number.npos)
    return say_parts(number.substr(0, point), number.substr(point + 1));
  return times(number, with_articles) != 0;
}

}  // namespace gradus
