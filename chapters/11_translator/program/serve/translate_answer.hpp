#pragma once
/// \file
/// The answer of /translate.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "11_translator/program/serve/translate_query.hpp"
#include "11_translator/translator/translator.hpp"

namespace gradus {

/// An object:
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
/// An empty line has neither attention nor steps.
nlohmann::ordered_json translate_answer(const Translator& translator, const TranslateQuery& query,
                                        const std::string& direction);

}  // namespace gradus
