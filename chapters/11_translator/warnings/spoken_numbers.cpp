#include "11_translator/warnings/spoken_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "11_translator/warnings/number_grammar.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

using Kind = NumberWord::Kind;
using Values = std::vector<std::string>;

constexpr std::uint64_t twelve = 12, hundred = 100, thousand = 1000;

/// A word of the text, or digits.
struct Word {
  std::string text;  // in lower case
  std::size_t begin, end;
  char32_t before, behind;  // the one sign that parts it from its neighbour; 0 for more signs and at the ends
  bool is_digits;
  std::optional<NumberWord> number;
};

bool is_space(char32_t c) { return c == U' ' || c == U'\u00A0'; }
bool is_hyphen(char32_t c) { return c == U'-' || c == U'\u2010' || c == U'\u2011'; }

std::vector<Word> words_of(const std::u32string& text, const std::string& language) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    bool has_digit = false;
    while (at < text.size() && is_word_character(text[at])) has_digit = is_number(text[at++]) || has_digit;
    if (at == begin) {
      ++at;
      continue;
    }
    const char32_t before = !words.empty() && begin == words.back().end + 1 ? text[begin - 1] : U'\0';
    if (!words.empty()) words.back().behind = before;
    const std::string word = lower_case(to_utf8(text.substr(begin, at - begin)));
    words.push_back(
        {word, begin, at, before, U'\0', has_digit, has_digit ? std::nullopt : number_word(word, language)});
  }
  return words;
}

/// Joins words to one number, as long as they can be one.
class Sum {
 public:
  bool take(const NumberWord& word, bool is_english) {
    const bool scales = word.kind == Kind::scale || word.kind == Kind::plural;
    return scales ? multiply(word.value) : add(word.value, is_english);
  }
  bool may_say_and() const { return room_ >= hundred; }
  /// "nine thirty": of an hour and minutes, or of a year
  bool is_pair() const { return is_pair_; }
  std::uint64_t value() const { return total_ + group_; }

 private:
  bool add(std::uint64_t value, bool is_english) {
    const bool is_pair =
        is_english && words_ == 1 && group_ > 0 && group_ < hundred && value >= 10 && value < hundred;
    if (is_pair) group_ *= hundred;  // nineteen ninety, nine thirty
    if (words_ > 0 && value >= room_ && !is_pair) return false;
    is_pair_ = is_pair_ || is_pair;
    ++words_;
    group_ += value;
    const bool is_ten = is_english && value >= 20 && value < hundred && value % 10 == 0;
    room_ = is_ten ? 10 : value >= hundred && value % hundred == 0 ? hundred : 1;
    return true;
  }
  bool multiply(std::uint64_t scale) {
    const std::uint64_t times = words_ == 0 ? 1 : group_;
    if (times == 0 || times >= thousand || (scale <= hundred && times >= hundred) || scale >= last_scale_)
      return false;
    ++words_;
    if (scale < thousand) {
      group_ = times * scale;
    } else {
      total_ += times * scale, group_ = 0, last_scale_ = scale;
    }
    room_ = scale == twelve ? 1 : scale;
    return true;
  }

  std::uint64_t total_ = 0, group_ = 0;  // of thousands and more; below
  std::uint64_t room_ = 1;               // a next word adds less than this
  std::uint64_t last_scale_ = UINT64_MAX;
  int words_ = 0;
  bool is_pair_ = false;
};

class WordReader {
 public:
  WordReader(const std::string& text, const std::string& language)
      : text_(code_points(text)), words_(words_of(text_, language)), is_english_(language == "en") {}

  std::vector<SpokenNumber> numbers() {
    for (std::size_t at = 0; at < words_.size();) {
      if (is_english_ && at > 0 && words_[at].text == "past" && is_half(at - 1)) add_uncounted("30");
      at = words_[at].number ? take(at) : at + 1;
    }
    return all_;
  }

 private:
  void add_uncounted(const std::string& value) { all_.push_back({value, {}, "", false}); }

  /// Adds the number that begins at a word; returns the place behind it.
  std::size_t take(std::size_t begin) {
    SpokenNumber found;
    Sum sum;
    const std::size_t end = end_of(begin, sum, found.parts);
    const NumberWord &first = *words_[begin].number, &last = *words_[end - 1].number;
    const std::size_t half = half_before(begin), from = sum.value() == twelve ? half : begin;
    if (from < begin) found.parts.clear();
    const std::uint64_t value = from < begin ? twelve / 2 : sum.value();
    const bool is_scale = first.kind == Kind::plural || (first.kind == Kind::scale && is_multiplied(begin));
    const bool is_unknown = is_scale && from == begin && end == begin + 1;
    const bool is_half_hour =
        !is_english_ && half < begin && first.kind == Kind::cardinal && value > 0 && value <= twelve;  // halb neun
    if (is_half_hour) add_uncounted(std::to_string(value > 1 ? value - 1 : twelve)), add_uncounted("30");
    for (const std::string& part : sum.is_pair() ? found.parts : Values()) add_uncounted(part);
    const bool is_free = !is_hyphen(words_[from].before) && !is_hyphen(words_[end - 1].behind) &&
                         last.kind != Kind::ordinal && !is_noun(begin) && !is_half_hour && !counts_quarters(end);
    found.value = is_unknown ? "" : std::to_string(value);
    found.written = to_utf8(text_.substr(words_[from].begin, words_[end - 1].end - words_[from].begin));
    found.is_counted = !is_unknown && value > 1 && (value > twelve || is_free) && last.kind != Kind::longer;
    all_.push_back(found);
    return end;
  }

  std::size_t end_of(std::size_t begin, Sum& sum, Values& parts) const {
    std::size_t end = begin;
    for (bool is_over = false; !is_over;) {
      const bool is_and =
          goes_on(begin, end) && sum.may_say_and() && words_[end].text == (is_english_ ? "and" : "und");
      const std::size_t next = is_and ? end + 1 : end;
      if (!goes_on(begin, next) || !words_[next].number || !sum.take(*words_[next].number, is_english_)) break;
      parts.push_back(std::to_string(words_[next].number->value));
      is_over = words_[next].number->kind == Kind::ordinal || words_[next].number->kind == Kind::longer;
      end = next + 1;
    }
    return end;
  }

  /// A German number with a capital letter within a sentence: a team (Elf), a mark (Zwei).
  bool is_noun(std::size_t at) const {
    return !is_english_ && is_space(words_[at].before) && words_[at].number->kind == Kind::cardinal &&
           case_of(text_[words_[at].begin]) == LetterCase::capital;
  }

  /// "drei Viertel" may be 0.75.
  bool counts_quarters(std::size_t end) const {
    return end < words_.size() && words_[end].text == (is_english_ ? "quarters" : "viertel");
  }

  bool goes_on(std::size_t begin, std::size_t at) const {
    return at < words_.size() && (at == begin || is_space(words_[at].before) || is_hyphen(words_[at].before));
  }

  bool is_half(std::size_t at) const {
    const std::string& word = words_[at].text;
    return is_english_ ? word == "half" : word.find("halb") != word.npos;
  }

  /// The place of a half before this word, "half a" or "halbes"; else the place itself.
  std::size_t half_before(std::size_t at) const {
    if (at > 0 && is_half(at - 1)) return at - 1;
    return at > 1 && words_[at - 1].text == "a" && is_half(at - 2) ? at - 2 : at;
  }

  /// Whether digits or a half stand before a scale: "2.5 million", "dreieinhalb Millionen".
  bool is_multiplied(std::size_t at) const {
    return half_before(at) < at || (at > 0 && words_[at - 1].is_digits && words_[at].before != U'\0');
  }

  std::u32string text_;
  std::vector<Word> words_;
  bool is_english_;
  std::vector<SpokenNumber> all_;
};

}  // namespace

std::vector<SpokenNumber> spoken_numbers(const std::string& text, const std::string& language) {
  return counts_in(language) ? WordReader(text, language).numbers() : std::vector<SpokenNumber>();
}

}  // namespace gradus
