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

constexpr std::uint64_t dozen = 12, hundred = 100, thousand = 1000, largest_small = 12;

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
  std::uint64_t value() const { return total_ + group_; }

 private:
  bool add(std::uint64_t value, bool is_english) {
    const bool is_year = is_english && total_ == 0 && group_ >= 10 && group_ < hundred && value >= 10 &&
                         value < hundred && words_ == 1;
    if (is_year) group_ *= hundred;  // nineteen ninety
    if (words_ > 0 && value >= room_ && !is_year) return false;
    ++words_;
    group_ += value;
    const bool is_ten = is_english && value >= 20 && value < hundred && value % 10 == 0 && !is_year;
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
    room_ = scale == dozen ? 1 : scale;
    return true;
  }

  std::uint64_t total_ = 0, group_ = 0;  // of thousands and more; below
  std::uint64_t room_ = 1;               // a next word adds less than this
  std::uint64_t last_scale_ = UINT64_MAX;
  int words_ = 0;
};

class Reader {
 public:
  Reader(const std::string& text, const std::string& language)
      : text_(code_points(text)), words_(words_of(text_, language)), is_english_(language == "en") {}

  std::vector<SpokenNumber> numbers() {
    std::vector<SpokenNumber> all;
    for (std::size_t at = 0; at < words_.size();) {
      const std::size_t begin = at;
      at += words_[begin].number ? take(begin, all) : 1;
    }
    return all;
  }

 private:
  /// The number that begins at a word; returns how many words it has.
  std::size_t take(std::size_t begin, std::vector<SpokenNumber>& all) const {
    const Kind first = words_[begin].number->kind;
    SpokenNumber found;
    Sum sum;
    std::size_t end = begin;
    while (end < words_.size()) {
      const bool is_and = end > begin && sum.may_say_and() && words_[end].text == (is_english_ ? "and" : "und");
      const std::size_t next = is_and ? end + 1 : end;
      if (!goes_on(begin, end) || (is_and && !goes_on(begin, next)) || !words_[next].number) break;
      Sum longer = sum;
      if (!longer.take(*words_[next].number, is_english_)) break;
      sum = longer, end = next + 1;
      found.parts.push_back(std::to_string(words_[next].number->value));
      if (words_[next].number->kind == Kind::ordinal || words_[next].number->kind == Kind::longer) break;
    }
    const Word& last = words_[end - 1];
    std::uint64_t value = sum.value();
    std::size_t from = begin;
    if (const std::size_t half = half_before(begin); half < begin && value == dozen) value /= 2, from = half;
    const bool is_unknown = from == begin && end == begin + 1 &&
                            (first == Kind::plural || (first == Kind::scale && is_multiplied(begin)));
    const bool is_large = value > largest_small;
    const bool is_alone = is_large || !(is_hyphen(words_[from].before) || is_hyphen(last.behind));
    const Kind kind = last.number->kind;
    found.value = is_unknown ? "" : std::to_string(value);
    found.written = to_utf8(text_.substr(words_[from].begin, last.end - words_[from].begin));
    found.is_counted =
        !is_unknown && value > 1 && is_alone && kind != Kind::longer && (is_large || kind != Kind::ordinal);
    all.push_back(found);
    return end - begin;
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
};

}  // namespace

std::vector<SpokenNumber> spoken_numbers(const std::string& text, const std::string& language) {
  return counts_in(language) ? Reader(text, language).numbers() : std::vector<SpokenNumber>();
}

}  // namespace gradus
