#pragma once
/// \file
/// A conversation on a terminal: one sentence, one answer.

#include "app/answers/translate_request.hpp"

namespace gradus {

/// Asks for sentences until Ctrl-D, `exit` or `quit`. A sentence that cannot be translated gets a warning.
void translate_at_prompt(const Translator& translator, const TranslateRequest& request);

}  // namespace gradus
