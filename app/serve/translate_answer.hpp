#pragma once
/// \file
/// The answer of /translate.

#include <functional>
#include <string>

#include "11_translator/translator/translator.hpp"
#include "app/serve/translate_query.hpp"

namespace gradus {

struct AnswerLimits {
  std::size_t bytes = 16'000'000;
  std::function<void()> check = [] {};  ///< called often; what it throws ends the work
};

/// The JSON of an object, or of a list of such objects if the text is a list:
///
///     direction   the model that translated
///     sentences   for each line of the text the object that `gradus translate --json` prints (translation_json.hpp), and
///       attention   if asked for: the cross-attention of the best translation
///         layers, heads
///         row_words, column_words   for each token of the translation and of the source the index of its word, or null
///         mean      (rows, columns): mean of the heads of the last layer
///         weights   (layers, heads, rows, columns), of three digits
///       steps       if asked for: [{"text", "probability", "candidates": [{"text", "probability"}]}], for each token
///                   the words that the model could have chosen, most probable first
///
///     text        with `paragraphs`, where the sentences are the parts of the lines: their translations, put together
///
/// Rows and steps are as many as `tokens` of the sentence, columns as many as its `source_tokens`. An empty line has neither
/// attention nor steps. Throws HttpError 413 for an answer that is too long; so the memory that it takes has a limit.
std::string translate_answer(const Translator& translator, const TranslateQuery& query,
                             const std::string& direction, const AnswerLimits& limits = {});

}  // namespace gradus
