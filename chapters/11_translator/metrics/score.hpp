#pragma once
/// \file
/// The metrics of a translated corpus, and the lines that report them.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "11_translator/metrics/bleu.hpp"
#include "11_translator/metrics/chrf.hpp"
#include "11_translator/metrics/ter.hpp"

namespace gradus {

using TextLines = std::vector<std::string>;

enum class Metric { bleu, chrf, chrf_words, ter };

template <>
struct Names<Metric> {
  static constexpr const char* noun = "metric";
  static constexpr Name<Metric> table[] = {
      {Metric::bleu, "bleu"}, {Metric::chrf, "chrf"}, {Metric::chrf_words, "chrf++"}, {Metric::ter, "ter"}};
};

using Metrics = std::vector<Metric>;
inline const Metrics usual_metrics{Metric::bleu, Metric::chrf, Metric::chrf_words};

/// 95 % of the scores of resampled corpora lie in mean ± half_width.
struct ConfidenceInterval {
  double mean = 0, half_width = 0;
};

/// The score of a corpus by one metric.
struct MetricScore {
  std::string name, signature;  ///< "BLEU"; nrefs:1|case:mixed|...
  double score = 0;
  std::string details = {};            ///< of BLEU, precisions and lengths; empty for others
  std::vector<double> sentences = {};  ///< the score of each sentence alone; BLEU skips the orders that it lacks
  std::optional<ConfidenceInterval> interval = {};  ///< bootstrap.hpp adds it
};

struct Scores {
  BleuScore bleu;         ///< this and the next three: 0 for a metric that was not asked for
  double chrf = 0;        ///< chrF2
  double chrf_words = 0;  ///< chrF2++
  double ter = 0;
  std::size_t references = 1;        ///< of each sentence; varying_references if they differ
  std::vector<MetricScore> metrics;  ///< those that were asked for, in that order
};

/// computes  corpus scores of `hypotheses`, BLEU, chrF2 and chrF2++ unless other metrics are asked for.
/// requires  one reference for each hypothesis, at least one sentence, UTF-8; else Error.
/// ensures   The scores are those of sacreBLEU (see bleu.hpp, chrf.hpp and ter.hpp). `lowercase` of the options holds for all
///           metrics but TER, which always ignores case.
/// saves     nothing.
Scores score(const TextLines& hypotheses, const TextLines& references, const BleuOptions& options = {},
             const Metrics& metrics = usual_metrics);

/// The same with several references for each hypothesis: references[r][i] is the r-th one of sentence i. At least
/// one list of references; each has as many sentences as `hypotheses`. Sentences may have fewer references than others: of
/// several lists, a line without text is no reference, unless all of them have none there. (sacreBLEU's library has None there.)
Scores score_several(const TextLines& hypotheses, const std::vector<TextLines>& references,
                     const BleuOptions& options = {}, const Metrics& metrics = usual_metrics);

/// The references of sentence i by that rule, at least one.
TextLines references_of(const std::vector<TextLines>& references, std::size_t i);

/// The number of references that each sentence has, or varying_references.
std::size_t number_of_each(const std::vector<TextLines>& references);

/// The statistics of one sentence for each metric; Scores are a function of their sums.
struct SentenceStatistics {
  BleuStatistics bleu;
  ChrfStatistics chrf, chrf_words;
  TerStatistics ter;
};

/// The statistics of each sentence, with the requirements of score_several.
std::vector<SentenceStatistics> sentence_statistics(const TextLines& hypotheses,
                                                    const std::vector<TextLines>& references,
                                                    const BleuOptions& options = {},
                                                    const Metrics& metrics = usual_metrics);

/// The options of both chrFs that correspond to those of BLEU.
ChrfOptions chrf_options(const BleuOptions& options, bool words);

/// BLEU|nrefs:1|...|version:gradus-0.2.0 = 39.93 (μ = 39.88 ± 1.64) 68.1/...: the parts that it has, as sacreBLEU prints them
/// (which leaves an interval around 0 out).
std::string to_string(const MetricScore& score);

/// One line for each metric, without a line break at the end.
std::string to_string(const Scores& scores);

}  // namespace gradus
