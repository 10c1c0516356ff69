#pragma once
/// \file
/// What a text says several times running: a decoder that has lost its way goes in circles.

#include <cstddef>
#include <string>

namespace gradus {

struct Repetition {
  std::string part;       ///< what is repeated; empty: nothing is
  std::size_t times = 0;  ///< how often it stands there, one after the other
};

/// One word three times running, or a phrase of two to eight words twice. Case and punctuation are not compared, so
/// "Oranges, oranges, oranges" is one. Of several the one of the fewest words. `text` is UTF-8, as in the two below.
Repetition repeated_words(const std::string& text);

/// Inside a word: two to twenty characters, a letter among them, three times running ("Kitty-Kitty-Kitty"), or one
/// character four times, if it is no digit.
Repetition repeated_characters(const std::string& text);

/// What `translation` repeats and its source does not: where `source` itself repeats words, repeated words are right, and so
/// with characters.
Repetition repetition(const std::string& source, const std::string& translation);

}  // namespace gradus
