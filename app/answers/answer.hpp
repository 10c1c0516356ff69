#pragma once
/// \file
/// The output of `gradus translate` for one sentence: lines of text, or a line of JSON.

#include <string>
#include <vector>

#include "11_translator/translator/translation_warnings.hpp"
#include "app/answers/translate_request.hpp"

namespace gradus {

/// The lines for the `number`th sentence `source`: one for each of its translations `best`.
///
///     [number tab] [score tab] translation [tab alignment]      number with --n-best, and so on
///
/// The alignment is in the Pharaoh format: "0-0 1-2", words of the source and of the translation, counted from 0.
/// With --json the answer is one object: "line", and the members that translation_json.hpp lists.
std::string answer(const TranslateRequest& request, std::size_t number, const std::string& source,
                   const std::vector<TranslatedText>& best, const std::vector<TranslationWarning>& warnings);

/// The line for a sentence that cannot be translated: that of an empty sentence; with --json also the reason.
std::string answer_to_fault(const TranslateRequest& request, std::size_t number, const std::string& fault);

}  // namespace gradus
