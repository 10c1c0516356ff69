#pragma once
/// \file
/// What the finished model of a run does with the validation text. It stands in the run's folder, so that a report can be
/// made again without the text.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gradus {

/// A number to be shown large.
struct Score {
  std::string name;
  double value = 0;
  int decimals = 2;
};

/// A sentence of a test set and what became of it.
struct ScoredTranslation {
  std::string source, reference, translation;
  double score = 0;  ///< of this sentence, 0 to 100
};

/// How many sentences have how many tokens, end marks not counted: counts[3] of them have three.
struct Lengths {
  std::string name;
  std::vector<std::uint32_t> counts;
};

struct RunResults {
  std::string title;                                       ///< "English to German", or the name of the run
  std::string weights;                                     ///< SHA-256 of the model's file of weights
  std::vector<std::pair<std::string, std::string>> facts;  ///< of the text: {"training pairs", "29,000"}
  std::vector<Score> scores;                               ///< {"BLEU", 38.78}
  std::string score_name = "chrF2";                        ///< what the sentences below are scored by
  std::vector<ScoredTranslation> best, worst;
  std::vector<std::string> attention;  ///< a few short source sentences, to be drawn
  std::vector<Lengths> lengths;        ///< both sides of the training text, references, translations
};

/// As JSON, exact in every bit, and back. Throws Error, one line that begins with `origin`, for other text.
std::string to_json(const RunResults& results);
RunResults run_results(const std::string& json, const std::string& origin);

}  // namespace gradus
