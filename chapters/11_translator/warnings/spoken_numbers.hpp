#pragma once
/// \file
/// The numbers that a text says in words, with their values.

#include <string>
#include <vector>

namespace gradus {

struct SpokenNumber {
  std::string value;  ///< in the form of text_numbers.hpp; "": a large one of unknown value, as in "2.5 million"
  std::vector<std::string> parts;  ///< the values of its words: 20 and 5 of "twenty five"
  std::string written;             ///< as the text has it
  /// False for a part of another word ("two-storey", "zwanzigjährig") and for ordinals up to twelfth.
  bool is_counted;
};

/// Of a text in English or German, in order: "sixteen", "two dozen", "half a dozen", "fünfundzwanzig", "nineteen ninety" (1990). Empty for other languages.
std::vector<SpokenNumber> spoken_numbers(const std::string& text, const std::string& language);

}  // namespace gradus
