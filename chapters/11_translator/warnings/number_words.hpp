#pragma once
/// \file
/// Numbers that a text says in words.

#include <cstddef>
#include <string>
#include <vector>

#include "11_translator/warnings/number_languages.hpp"
#include "11_translator/warnings/spoken_numbers.hpp"

namespace gradus {

/// The value of a whole number up to 12 in digits; -1 for others.
int small_value(const std::string& number);

/// The words of a text that may be numbers.
class NumberWords {
 public:
  /// Reads UTF-8. `language` is a code of number_languages(); for others the words of all those languages count, except
  /// frequent words of another one.
  explicit NumberWords(const std::string& text, const std::string& language = "");

  /// Whether the text may say this number (in the form of text_numbers.hpp) in words: "3" as three, dritte, mars (the month), 三;
  /// "3.5" as a word for 3 and one for a half. In English and German a number above 12 needs a word of its value; in other languages it is
  /// taken as said if there is any word for such a number (vingt, mille). In scripts whose words are not known here, a number up to 12 counts as said.
  /// Articles say 1, unless they are excluded.
  bool say(const std::string& number, bool with_articles = true) const;

  /// Whether the text may say its ordinal: "3" as dritte, but not as drei. Of a number above 12, as `say`.
  bool say_ordinal(const std::string& number) const;

  /// How many words may say a whole number. Words for numbers above 12 say each of them, unless knows_values().
  std::size_t times(const std::string& number, bool with_articles = true) const;
  bool knows_values() const { return knows_values_; }

  /// Whether the language is one of number_languages().
  bool is_known() const { return is_known_; }

  /// In English and German; else none.
  const std::vector<SpokenNumber>& spoken() const { return spoken_; }

 private:
  std::size_t times_small(int value, bool with_articles, bool is_ordinal = false) const;
  std::size_t times_large() const;
  std::size_t times_spoken(const std::string& number) const;
  std::size_t times_unknown() const;
  std::size_t count(WordPatterns NumberLanguage::*patterns) const;
  bool say_small(int value) const { return times_small(value, true) != 0; }
  bool say_parts(const std::string& whole, const std::string& part) const;

  std::vector<const NumberLanguage*> languages_;
  bool is_known_ = false, knows_values_ = false;
  std::vector<SpokenNumber> spoken_;
  std::vector<std::u32string> words_;
  std::u32string unspaced_;  // letters of scripts that write numbers without spaces around them
  bool has_known_script_ = false, has_other_script_ = false;
};

}  // namespace gradus
