#pragma once
/// \file
/// What /translate answers.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "11_translator/program/serve/translate_query.hpp"
#include "11_translator/translator/translator.hpp"

namespace gradus {

/// An object:
///
///     direction   which model translated
///     sentences   for each line of the text what `gradus translate --json` prints for it (translation_json.hpp), and
///       attention   if asked for: what the best translation looked at in the source
///         layers, heads
///         row_words, column_words   for each token of the translation and of the source the word that it stands in, or null
///         mean      (rows, columns): the heads of the last layer on average
///         weights   (layers, heads, rows, columns), of three digits
///       steps       if asked for: [{"text", "probability", "candidates": [{"text", "probability"}]}], for each token
///                   what the model could have said in its place, likeliest first
///
/// An empty line has neither attention nor steps.
nlohmann::ordered_json translate_answer(const Translator& translator, const TranslateQuery& query,
                                        const std::string& direction);

}  // namespace gradus
