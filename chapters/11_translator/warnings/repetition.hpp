#pragma once
/// \file
/// Finds repetitions in a text: a decoder that fails often repeats itself.

#include <cstddef>
#include <string>

namespace gradus {

struct Repetition {
  std::string part;       ///< the repeated part; empty: none
  std::size_t times = 0;  ///< number of times in a row; 1: `part` has two forms of one word
  std::string word = {};  ///< that has `part` inside it; empty: `part` is made of whole words
};

/// A word three times in a row, or a phrase of two to eight words twice. Case and punctuation are ignored, so
/// "Oranges, oranges, oranges" is one. Beside letters of scripts without spaces, punctuation separates words. Of several repetitions the
/// one with the fewest words. `text` is UTF-8, also below.
Repetition repeated_words(const std::string& text);

/// Whether a word stands twice in a row. Case and punctuation are ignored here too.
bool says_a_word_twice(const std::string& text);

/// Inside a word: two to twenty characters, including a letter, three times in a row ("Kitty-Kitty-Kitty"); or one
/// character that is no digit four times.
Repetition repeated_characters(const std::string& text);

/// A word of at least five letters twice in a row, or, with `also_different`, one of at least three letters beside a form of itself: "dog dogs".
/// A form ends in one or two letters more, at most half as many as the word has. A comma between the two excuses them, and
/// articles and other frequent words have no forms. Of Cyrillic
/// words four letters are enough, of Arabic and Hebrew ones three; Hindi and Turkish (`language` is its code) double words on purpose.
Repetition repeated_forms(const std::string& text, bool also_different, const std::string& language = "");

/// A repetition in `translation` that its source does not have: if `source` itself repeats words as often, repeated words
/// are right; if it repeats characters, or has forms of one word side by side, these are. Different forms count only if the translation has
/// more words than its source: "A man in short shorts" has not. In scripts without spaces a phrase of four to twenty letters must not
/// stand twice in a row either; there, and in translations from there, anything may be repeated as often as in the source. `language`
/// is that of the translation, a code of number_languages.hpp or "".
Repetition repetition(const std::string& source, const std::string& translation, const std::string& language = "");

}  // namespace gradus
