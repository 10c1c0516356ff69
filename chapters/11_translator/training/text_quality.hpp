#pragma once
/// \file
/// What a vocabulary does not know of the text that a training reads, counted before the first step.

#include <cstdint>
#include <string>
#include <vector>

#include "11_translator/training/record/training_history.hpp"
#include "11_translator/training/training_data.hpp"

namespace gradus {

using TokenCounts = std::vector<std::uint64_t>;  ///< how often each id occurs

struct SideCounts {
  TokenCounts source, target;
};

struct TextQuality {
  UnknownTokens unknown;  ///< of the pairs that are trained on, and of those for validation
  /// The share of the letters of the validation's sources that are in a script which the sources of the training text hardly
  /// have; the same for the targets. 0 if many tokens of the training text are unknown, because their script is not known.
  double other_script_source = 0, other_script_target = 0;
  SideCounts train = {};  ///< of the pairs that are trained on, without marks
};

/// `marks` are those of the stored ids of `data`, if it has them.
TextQuality text_quality(const TrainingData& data, const SentenceMarks& marks);

/// The largest usual share: whole words outside a vocabulary are common, characters outside one of subwords are not.
double usual_share_of_unknown(TokenizerKind kind);

/// One line for each fault of a text: many unknown tokens, a validation text in another script.
std::vector<std::string> faults_of_text(const TrainingRequest& request, const TextQuality& quality);

}  // namespace gradus
