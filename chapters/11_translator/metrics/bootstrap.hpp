#pragma once
/// \file
/// The paired bootstrap: is the difference between two systems larger than chance? Philipp Koehn, "Statistical
/// Significance Tests for Machine Translation Evaluation", EMNLP 2004, https://aclanthology.org/W04-3250, with the
/// numbers of sacreBLEU (Matt Post, WMT 2018, https://aclanthology.org/W18-6319). The lesson is the README.md
/// beside this file.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "11_translator/metrics/score.hpp"

namespace gradus {

struct BootstrapOptions {
  BleuOptions scoring;
  Metrics metrics = usual_metrics;
  std::size_t resamples = 1000;
  std::uint32_t seed = 12345;
};

/// The result of a system for one metric.
struct BootstrapResult {
  double score = 0;               ///< of the original test set
  double mean = 0;                ///< of the resampled test sets
  double half_width = 0;          ///< the interval mean ± half_width contains 95 % of the resampled scores
  std::optional<double> p_value;  ///< of the difference from the baseline; the baseline has none
};

struct MetricResults {
  std::string name, signature;           ///< "BLEU"; nrefs:1|bs:1000|seed:12345|case:mixed|...
  std::vector<BootstrapResult> systems;  ///< the baseline, then the others in the given order
};

/// computes  the metrics of each system on the test set and on resampled sets. A resampled set has as
///           many sentences, drawn with replacement, the same for all systems. Let d be the difference of a system
///           from the baseline, d_b that of resample b, and m the mean of all |d_b|; then the p-value is (1 + the
///           number of b with |d_b| - m > |d|) / (1 + resamples).
/// requires  one translation of each sentence from every system, systems[0] being the baseline; references as in
///           score_several; at least one resample; else Error.
/// ensures   The figures are those of sacreBLEU's --paired-bs with numpy 2, from the same draws. (sacreBLEU sums in
///           single precision, which is exact for less than 16 million n-grams.)
/// saves     nothing.
std::vector<MetricResults> paired_bootstrap(const std::vector<TextLines>& systems,
                                            const std::vector<TextLines>& references,
                                            const BootstrapOptions& options = {});

/// Adds the interval of each metric to the scores of `hypotheses`, and the draws to its signature, as sacreBLEU's --confidence
/// does. `options` has the metrics and the scoring that the scores were made with.
void add_intervals(Scores& scores, const TextLines& hypotheses, const std::vector<TextLines>& references,
                   const BootstrapOptions& options);

}  // namespace gradus
