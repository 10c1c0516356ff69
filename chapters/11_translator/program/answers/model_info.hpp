#pragma once
/// \file
/// What is known of a model, as `gradus info` shows it.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "11_translator/storage/model_files.hpp"

namespace gradus {

/// An object with these members, in this order; what is not known is null:
///
///     model          its folder
///     languages      "en to de"
///     parameters     how many numbers it has
///     configuration  its sizes and choices (model.json)
///     tokenizer      {"kind", "lower_case", "source", "target"}: the files of its vocabularies
///     weights        SHA-256 of its file of weights
///     unusual_below  nats a token: a translation that is less probable gets the warning "unsure"
///     scores         of a test or validation text: {"BLEU ...": 38.78}, or what scores.json of a bundled model says
///     training       how it was trained: the metadata in model.json ("notes" there)
nlohmann::ordered_json model_info(const std::string& folder, const ModelFiles& model);

}  // namespace gradus
