#pragma once
/// \file
/// Lines that are paragraphs of a running text.

#include <string>
#include <vector>

#include "11_translator/translator/running_text.hpp"
#include "11_translator/translator/translation_warnings.hpp"
#include "11_translator/translator/translator.hpp"

namespace gradus {

struct TranslatedParagraph {
  std::string text;
  std::vector<std::vector<TranslationWarning>> warnings;  ///< of each of its parts
};

/// For RunningText::parts: whether the translator copies addresses and code in a sentence. Keeps a reference to it.
KeepsCopied keeps_copied(const Translator& translator, const TranslateOptions& options);

/// Translates the next lines of `text`, sentence by sentence. `names` of the lines are for the warnings.
std::vector<TranslatedParagraph> translate_paragraphs(const Translator& translator, RunningText& text,
                                                      const std::vector<std::string>& lines,
                                                      const std::vector<std::string>& names,
                                                      const TranslateOptions& options);

}  // namespace gradus
