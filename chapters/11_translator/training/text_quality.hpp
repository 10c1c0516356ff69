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

/// The text that is mixed into the training text; without such text nothing.
struct MixedText {
  SideCounts counts = {};
  double other_script_source = 0, other_script_target = 0;  ///< as in TextQuality
};

struct TextQuality {
  UnknownTokens unknown;  ///< of the pairs that are trained on, and of those for validation
  /// The share of the letters of the validation's sources that are in a script which the sources of the training's own text hardly
  /// have; the same for the targets. 0 if many tokens of that text are unknown, because their script is not known.
  double other_script_source = 0, other_script_target = 0;
  SideCounts train = {};  ///< of the pairs that are trained on, without marks
  MixedText mixed = {};

  SideCounts own() const;  ///< `train` without the text that is mixed in
};

/// The lines of the text that is mixed in.
LinePairs mixed_lines(const TrainingData& data);

/// `marks` are those of the stored ids of `data`, if it has them.
TextQuality text_quality(const TrainingData& data, const SentenceMarks& marks);

/// The largest usual share: whole words outside a vocabulary are common, characters outside one of subwords are not.
double usual_share_of_unknown(TokenizerKind kind);

/// One line for each fault of a text: many unknown tokens, a validation text or a text mixed in that is in another script.
std::vector<std::string> faults_of_text(const TrainingRequest& request, const TextQuality& quality);

}  // namespace gradus
