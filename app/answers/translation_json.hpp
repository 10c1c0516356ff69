#pragma once
/// \file
/// One sentence and its translations as JSON: one line of `gradus translate --json`.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "11_translator/translator/translation_warnings.hpp"
#include "11_translator/translator/translator.hpp"

namespace gradus {

/// An object with these members, in this order:
///
///     source          the sentence as it was given
///     text            its best translation
///     score           log probability divided by the length norm: translations are ranked by it
///     token_log_prob  mean log probability of a token, in nats
///     source_tokens   pieces of the source, <eos> at the end; U+2581 stands for the space before a word
///     tokens          [{"text", "log_prob"}]: pieces of the translation, <eos> at the end
///     alignment       for each of `tokens` the index in `source_tokens` of its aligned piece
///     word_alignment  [[i, j]]: word i of the source and word j of the translation, counted from 0
///     warnings        [{"code", "text"}]: translation_warnings.hpp lists the codes
///     n_best          only for more than one: the translations, best first, each with text, score, token_log_prob,
///                     tokens, alignment, word_alignment
///
/// `best` comes from Translator::translate with TranslateOptions::with_tokens and has at least one translation. An
/// empty sentence has an empty text and empty lists; one without a letter is its own text, with empty lists.
nlohmann::ordered_json translation_json(const std::string& source, const std::vector<TranslatedText>& best,
                                        const std::vector<TranslationWarning>& warnings);

/// The object for a sentence that cannot be translated: {"source": "", "text": "", "error": why}. The source is
/// left out because it may not be text.
nlohmann::ordered_json error_json(const std::string& why);

/// `json` in one line, without its line end. Bytes that are not UTF-8 become U+FFFD.
std::string json_line(const nlohmann::ordered_json& json);

}  // namespace gradus
