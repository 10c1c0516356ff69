#pragma once
/// \file
/// Numbers that a text says in words.

#include <string>
#include <vector>

namespace gradus {

/// The words of a text that may be numbers.
class NumberWords {
 public:
  /// Reads UTF-8.
  explicit NumberWords(const std::string& text);

  /// Whether the text may say this number (in the form of text_numbers.hpp) in words: "3" as three, dritte, mars (the month), 三;
  /// "3.5" as a word for 3 and one for a half. A number above 12 is taken as said if there is any word for such a
  /// number (twenty, dreizehn, mille). In scripts whose words are not known here, a number up to 12 counts as said.
  bool say(const std::string& number) const;

  /// The same without articles, which are no number: "a dog" says nothing about 1.
  bool say_without_article(const std::string& number) const;

 private:
  bool say_small(const std::string& number, bool articles) const;
  bool say_large() const;
  bool say_half() const;

  std::vector<std::u32string> words_;
  std::u32string unspaced_;  // letters of scripts that write numbers without spaces around them
  bool has_known_script_ = false, has_other_script_ = false;
};

}  // namespace gradus
