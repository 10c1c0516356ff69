#pragma once
/// \file
/// What a training has said of itself: the curves of its report, and the same three sentences translated again and
/// again. No time, thread count or machine is in it.

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

/// Both lists ascend by step.
struct TrainingHistory {
  std::vector<StepRecord> steps;
  std::vector<ValidationRecord> validations;
  std::vector<std::string> command;  ///< the words of the command line
};

/// The place of the validation with the lowest loss, the first of equals; none if no loss is finite.
std::optional<std::size_t> best_validation(const std::vector<ValidationRecord>& validations);

/// As JSON, exact in every bit. A number that is not finite becomes null, and null comes back as NaN.
std::string to_json(const TrainingHistory& history);

/// The way back. Throws Error, one line that begins with `origin`, for text that no training has written.
TrainingHistory training_history(const std::string& json, const std::string& origin);

}  // namespace gradus
