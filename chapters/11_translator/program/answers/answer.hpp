#pragma once
/// \file
/// What `gradus translate` prints for one sentence: lines of text, or a line of JSON.

#include <string>
#include <vector>

#include "11_translator/program/answers/translate_request.hpp"
#include "11_translator/translator/translation_warnings.hpp"

namespace gradus {

/// The lines for the sentence `source`, the `number`th: one for each of its translations `best`.
///
///     [number tab] [score tab] translation [tab alignment]      number with --n-best, and so on
///
/// The alignment is in the format of Pharaoh: "0-0 1-2", words of the source and of the translation, counted from 0.
/// With --json it is one object: "line", and what translation_json.hpp says.
std::string answer(const TranslateRequest& request, std::size_t number, const std::string& source,
                   const std::vector<TranslatedText>& best, const std::vector<TranslationWarning>& warnings);

/// The line for a sentence that cannot be translated: as for an empty one, and with --json the reason.
std::string answer_to_fault(const TranslateRequest& request, std::size_t number, const std::string& fault);

}  // namespace gradus
