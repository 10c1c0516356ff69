#pragma once
/// \file
/// What a translation comes from, as JSON: the attention of its tokens, and the likeliest ones at each place.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "11_translator/translator/attention_record.hpp"
#include "11_translator/translator/explain.hpp"
#include "11_translator/translator/translated_text.hpp"

namespace gradus {

/// An object with these members, for the cross-attention `maps` of a translation with_tokens:
///
///     layers, heads   their numbers
///     row_words       for each token of the translation the index of its word, or null
///     column_words    the same for the source
///     mean            [[...]]: the weights of the last layer, the mean of its heads; a row for each token of the translation
///     weights         [layer][head]: the same of one head
nlohmann::ordered_json attention_json(const AttentionMaps& maps, const TranslatedText& best);

/// [{"text", "probability", "candidates": [{"text", "probability"}]}]: each token, and the likeliest ones at its place.
nlohmann::ordered_json steps_json(const std::vector<NextWord>& steps);

}  // namespace gradus
