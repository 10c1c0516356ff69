#pragma once
/// \file
/// Words for numbers, by language.

#include <array>
#include <string>
#include <vector>

namespace gradus {

/// A word, or what is common to several. number_language_rows.hpp explains its form.
class WordPattern {
 public:
  explicit WordPattern(const std::string& text);

  bool fits(const std::u32string& word) const;

  /// Whether it is this very word, without the letters that a star stands for.
  bool is(const std::u32string& word) const { return word == part_; }

  /// Whether it is a frequent word of another language, so that it says nothing about a text of unknown language: "to".
  bool needs_language() const { return needs_language_; }

  /// Whether it fits words that are longer than it is.
  bool is_open() const { return any_behind_; }

 private:
  std::u32string part_;
  bool needs_language_ = false, any_before_ = false, some_before_ = false, any_behind_ = false;
};

using WordPatterns = std::vector<WordPattern>;

/// The patterns of a text, with spaces between them.
WordPatterns word_patterns(const std::string& text);

/// All words are in the form of folded_words().
struct NumberLanguage {
  std::string code;  ///< ISO 639-1
  /// Words that say 0 to 12: cardinals, ordinals, months, "pair", "dozen". What an open one fits may be larger: "vier*" fits
  /// "vierzig", and so does `large`.
  std::array<WordPatterns, 13> small;
  WordPatterns articles;  ///< may say 1
  WordPatterns large;     ///< of any number above 12
  WordPatterns half;
  std::vector<std::u32string> frequent;  ///< that nearly every text of the language has, and few of the others have
};

/// English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish, Norwegian, Finnish, Polish, Czech,
/// Hungarian, Romanian, Russian, Ukrainian and Turkish.
const std::vector<NumberLanguage>& number_languages();

/// The words of a text in lower case; ё is е, ı is i, and an apostrophe within a Cyrillic word is left out. Digits end a word; without
/// `beside_digits` the words that touch them are left out.
std::vector<std::u32string> folded_words(const std::string& text, bool beside_digits = true);

}  // namespace gradus
