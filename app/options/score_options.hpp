#pragma once
/// \file
/// The options of the commands that score: which metrics, how BLEU counts words, and in which form the answer comes.

#include <optional>
#include <vector>

#include "11_translator/metrics/bootstrap.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace gradus {

enum class ScoreForm { lines, numbers, json };

struct ScoreChoices {
  Metrics metrics;                         ///< none: the usual ones, or BLEU where numbers alone are asked for
  std::optional<BleuTokenizer> tokenizer;  ///< none: the one that fits the script of the references
  bool lowercase = false, sentences = false, confidence = false;
  std::size_t resamples = 0;  ///< of the bootstrap; 0: the usual number
  ScoreForm form = ScoreForm::lines;
};

/// --metrics, --tokenize, --lowercase, --sentence-level, --confidence, --resamples, --score-only and --json.
void add_score_options(CLI::App& command, ScoreChoices& choices);

/// Throws UsageError for choices that exclude each other. `compares`: two systems are compared, which has its own intervals.
void check(const ScoreChoices& choices, bool compares = false);

/// How the choices score translations into the language of `references`. Tells on the console if their script has no spaces
/// between words: which tokenizer is taken for that, or that the one that was chosen counts whole lines.
BootstrapOptions scoring_of(const ScoreChoices& choices, const std::vector<TextLines>& references);

}  // namespace gradus
