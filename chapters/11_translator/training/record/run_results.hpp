#pragma once
/// \file
/// The results of a run's finished model on the validation text. They are stored in the run's folder, so that a
/// report can be made again without the text.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gradus {

/// A number that the report shows large.
struct Score {
  std::string name;
  double value = 0;
  int decimals = 2;
};

/// A sentence of a test set and its translation.
struct ScoredTranslation {
  std::string source, reference, translation;
  double score = 0;  ///< of this sentence, 0 to 100
};

/// The number of sentences of each length in tokens, without end marks: counts[3] sentences have three tokens.
struct Lengths {
  std::string name;
  std::vector<std::uint32_t> counts;
};

struct RunResults {
  std::string title;                                       ///< "English to German", or the name of the run
  std::string weights;                                     ///< SHA-256 of the model's file of weights
  std::vector<std::pair<std::string, std::string>> facts;  ///< of the text: {"training pairs", "29,000"}
  std::vector<Score> scores;                               ///< {"BLEU", 38.78}
  std::string score_name = "chrF2";                        ///< the score of the sentences below
  std::vector<ScoredTranslation> best, worst;
  std::vector<std::string> attention;  ///< a few short source sentences, for attention maps
  std::vector<Lengths> lengths;        ///< both sides of the training text, references, translations
};

/// To JSON, exact in every bit, and back. The second throws Error, one line that begins with `origin`, for other
/// text.
std::string to_json(const RunResults& results);
RunResults run_results(const std::string& json, const std::string& origin);

}  // namespace gradus
