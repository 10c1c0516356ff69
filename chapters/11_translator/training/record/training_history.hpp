#pragma once
/// \file
/// The record of a training: the curves of its report, and the translations of the same three sentences at each
/// validation. It contains no time, thread count or machine.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// Means over the steps since the last record.
struct StepRecord {
  std::uint32_t step = 0, epoch = 0;
  double loss = 0, learning_rate = 0, gradient_norm = 0;
};

struct SampleTranslation {
  std::string source, reference, translation;
};

struct ValidationRecord {
  std::uint32_t step = 0, epoch = 0;
  double loss = 0;
  double bleu = 0;  ///< of greedy translations, cased, 0 to 100
  std::vector<SampleTranslation> samples;
};

struct TokenCount {
  std::uint64_t unknown = 0, tokens = 0;  ///< of these so many are unknown; without begin and end marks

  double share() const { return tokens == 0 ? 0 : static_cast<double>(unknown) / static_cast<double>(tokens); }
};

/// The tokens of a training's text that are not in the vocabulary.
struct UnknownTokens {
  TokenCount train_source, train_target, valid_source, valid_target;
};

/// Both lists ascend by step.
struct TrainingHistory {
  std::vector<StepRecord> steps;
  std::vector<ValidationRecord> validations;
  std::vector<std::string> command;           ///< the words of the command line
  std::optional<UnknownTokens> unknown = {};  ///< none: written by a version that did not count them
};

/// The index of the validation with the lowest loss, of equal ones the first; no value if no loss is finite.
std::optional<std::size_t> best_validation(const std::vector<ValidationRecord>& validations);

/// To JSON, exact in every bit. A number that is not finite becomes null, and null is read as NaN.
std::string to_json(const TrainingHistory& history);

/// The inverse. Throws Error, one line that begins with `origin`, for text that no training has written.
TrainingHistory training_history(const std::string& json, const std::string& origin);

}  // namespace gradus
