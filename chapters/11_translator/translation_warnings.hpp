#pragma once
/// \file
/// What a person should know about a translation before trusting it.

#include <string>
#include <vector>

#include "11_translator/translator.hpp"

namespace gradus {

struct TranslationWarning {
  std::string code;  ///< for programs: "cut" and so on, as the list below says
  std::string text;  ///< for people: one line without an end
};

/// The warnings about the best translation of `source`, one for each cause; none for an empty sentence. `where` is what
/// the texts call the sentence: "line 7", "this sentence".
///
/// cut      the sentence is longer than the model reads
/// unsure   the translation is less probable than nearly all of the model's validation
std::vector<TranslationWarning> translation_warnings(const std::string& where, const std::string& source,
                                                     const TranslatedText& best);

}  // namespace gradus
