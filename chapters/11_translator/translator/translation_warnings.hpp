#pragma once
/// \file
/// What a person should know about a translation before trusting it.

#include <string>
#include <vector>

#include "11_translator/translator/translated_text.hpp"

namespace gradus {

struct TranslationWarning {
  std::string code;  ///< for programs: "cut" and so on, as the list below says
  std::string text;  ///< for people: one line without an end
};

/// The warnings about the best translation of `source`, one for each cause; none for an empty sentence. `where` is what
/// the texts call the sentence: "line 7", "this sentence". The codes, in their order:
///
/// cut         the sentence is longer than the model reads
/// unsure      the translation is less probable than nearly all of the model's validation
/// never-seen  the sentence has what no training sentence had (<unk>), or the model hesitates
///             (TranslatedText::hesitant) over one with words that its vocabulary has in parts only
/// repetition  the translation repeats words or letters, and the sentence does not (warnings/repetition.hpp)
/// numbers     a number of the sentence is not in the translation (warnings/changed_numbers.hpp)
/// no-letters  the sentence has no letter
///
/// All but the first two look at the texts alone and know no language. tests/bench/warnings.py measures how many bad translations
/// each finds. What is not UTF-8 in a translation is read as U+FFFD.
std::vector<TranslationWarning> translation_warnings(const std::string& where, const std::string& source,
                                                     const TranslatedText& best);

}  // namespace gradus
