#pragma once
/// \file
/// Warnings about a translation that a user should read before trusting it.

#include <string>
#include <vector>

#include "11_translator/translator/translated_text.hpp"

namespace gradus {

struct TranslationWarning {
  std::string code;  ///< for programs: "cut" and so on, see the list below
  std::string text;  ///< for people: one line without an end
};

/// The warnings about the best translation of `source`, one for each cause; none for a sentence that is empty or was copied. The texts
/// call the sentence `where`: "line 7", "this sentence". The codes, in their order:
///
/// cut         the sentence is longer than the model reads
/// unsure      the translation is less probable than nearly all translations of the validation text; of a short source (search_texts.hpp)
///             the end mark and <eos> of the translation do not count
/// unfinished  the translation stops at the most tokens that it may have (TranslateOptions::max_length), before its end
/// never-seen  the sentence has words or signs with parts that no sentence of its side of the training text had; or the model hesitates
///             (TranslatedText::hesitant) and the sentence has words that the vocabulary has only in parts
/// repetition  the translation repeats words or letters, and the sentence does not (warnings/repetition.hpp)
/// numbers     a number of the sentence is not in the translation with its sign or unit, or one there is not in the sentence
///             (warnings/changed_numbers.hpp)
/// several-sentences  the line holds several sentences (warnings/sentences.hpp)
///
/// The last three look at the texts alone, normalised as a model reads them (gradus/io/normal_text.hpp). A model does not give
/// those that would be wrong too often (WarningLimits::muted). tests/measure/bench/warning_rates.py measures how
/// many bad translations each one finds. Bytes of a translation that are not UTF-8 are read as U+FFFD.
std::vector<TranslationWarning> translation_warnings(const std::string& where, const std::string& source,
                                                     const TranslatedText& best);

}  // namespace gradus
