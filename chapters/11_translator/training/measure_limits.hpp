#pragma once
/// \file
/// Measures the limits of a model's warnings on its validation pairs.

#include <cstdint>
#include <functional>
#include <vector>

#include "10_training/data/pairs.hpp"
#include "11_translator/storage/warning_limits.hpp"
#include "11_translator/translator/translated_text.hpp"
#include "gradus/io/lines.hpp"

namespace gradus {

/// A translation of the validation, for the limit of hesitation.
struct JudgedTranslation {
  double token_log_prob = 0;
  double score = 0;  ///< chrF2 compared with its reference
};

/// The log probability below which translations were clearly worse than the others, at most hesitant_at_most: the
/// largest one below which the mean score is at most worse_share of the mean of all. If even the least probable ones are as good as the
/// others, that of the least probable one, or `unusual_below`, whichever is lower.
double hesitant_limit(std::vector<JudgedTranslation> translations, double unusual_below);

/// The codes of warnings that look at texts alone, and that too many of the pairs would have: what a reference does is right. Also
/// `translates_signs`, if so many pairs have a source without a letter and another text as its translation.
std::vector<std::string> muted_warnings(const LinePairs& pairs, const TextLanguages& languages = {});

/// The pieces that occur in the sources.
SeenPieces source_pieces(const PairsView& pairs, std::size_t vocabulary);

}  // namespace gradus
