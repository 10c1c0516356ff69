#pragma once
/// \file
/// The data about a model that `gradus info` shows.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "11_translator/storage/model_files.hpp"

namespace gradus {

/// An object with these members, in this order; unknown values are null:
///
///     model          its folder
///     languages      "en to de"
///     parameters     their number
///     configuration  its sizes and choices (model.json)
///     tokenizer      {"kind", "lower_case", "punctuation", "normalisation", "source", "target"}: its rules for texts, the files of
///                    its vocabularies
///     weights        SHA-256 of its file of weights
///     unusual_below  nats a token: a less probable translation gets the warning "unsure"
///     hesitant_below nats a token: of a less probable one, words in parts get the warning "never-seen"
///     muted_warnings codes of warnings that it does not give (warning_limits.hpp)
///     scores         of a test or validation text: {"BLEU ...": 38.78}, or the content of a bundled model's scores.json
///     training       how it was trained: the metadata in model.json ("notes" there)
nlohmann::ordered_json model_info(const std::string& folder, const ModelFiles& model);

}  // namespace gradus
