#pragma once
/// \file
/// Checks whether the translation has the numbers of its sentence.

#include <string>
#include <vector>

#include "11_translator/warnings/text_languages.hpp"

namespace gradus {

struct ChangedNumbers {
  std::vector<std::string> lost;   ///< of the source, not in the translation; each once, as the next
  std::vector<std::string> added;  ///< in the translation, not in the source
};

/// The numbers that only one of the texts has, as it has them: "-5 °C", "10:30". Empty if only the order or the signs
/// differ, in some way of reading them: "3.5" is "3,5", "1,000" is "1 000", "3:30" is "3.30" or "3 Uhr 30", "½" is "1/2", "3:30 p.m." is
/// "15:30". A number whose word stands in the other text, in that text's language, is not reported (number_words.hpp); the parts of
/// a decimal number need a word each, "3rd" needs an ordinal, and no word says "3D", whose letters have to be in the other text, too. A minus, a percent sign, a currency or a unit
/// (number_marks.hpp) has to be in the other text, too, as it is or as a word.
ChangedNumbers changed_numbers(const std::string& source, const std::string& translation,
                               const TextLanguages& languages = {});

}  // namespace gradus
