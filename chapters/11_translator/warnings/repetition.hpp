#pragma once
/// \file
/// Finds repetitions in a text: a decoder that fails often repeats itself.

#include <cstddef>
#include <string>

namespace gradus {

struct Repetition {
  std::string part;       ///< the repeated part; empty: none
  std::size_t times = 0;  ///< number of times in a row
};

/// A word three times in a row, or a phrase of two to eight words twice. Case and punctuation are ignored, so
/// "Oranges, oranges, oranges" is one. Of several repetitions the one with the fewest words. `text` is UTF-8, also
/// below.
Repetition repeated_words(const std::string& text);

/// Whether a word stands twice in a row. Case and punctuation are ignored here too.
bool says_a_word_twice(const std::string& text);

/// Inside a word: two to twenty characters, including a letter, three times in a row ("Kitty-Kitty-Kitty"); or one
/// character that is no digit four times.
Repetition repeated_characters(const std::string& text);

/// A repetition in `translation` that its source does not have: if `source` itself repeats words, repeated words
/// are right; the same holds for characters.
Repetition repetition(const std::string& source, const std::string& translation);

}  // namespace gradus
