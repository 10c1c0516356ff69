#pragma once
/// \file
/// Is the difference between two systems more than luck? The paired bootstrap: Philipp Koehn, "Statistical Significance
/// Tests for Machine Translation Evaluation", EMNLP 2004, https://aclanthology.org/W04-3250, with the numbers of sacreBLEU
/// (Matt Post, WMT 2018, https://aclanthology.org/W18-6319). The lesson is the README.md beside this file.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "11_translator/metrics/score.hpp"

namespace gradus {

struct BootstrapOptions {
  BleuOptions scoring;
  std::size_t resamples = 1000;
  std::uint32_t seed = 12345;
};

/// A system by one metric.
struct BootstrapResult {
  double score = 0;               ///< of the test set as it is
  double mean = 0;                ///< of the resampled test sets
  double half_width = 0;          ///< 95 of 100 resampled scores lie in an interval twice as wide
  std::optional<double> p_value;  ///< of the difference to the baseline, which has none itself
};

struct MetricResults {
  std::string name, signature;           ///< "BLEU"; nrefs:1|bs:1000|seed:12345|case:mixed|...
  std::vector<BootstrapResult> systems;  ///< the baseline, then the others in their order
};

/// computes: BLEU, chrF2 and chrF2++ of each system on the test set, and on resampled ones: as many sentences, drawn with
///           replacement, the same for all systems. With d the difference of a system to the baseline, d_b that of resample
///           b, and m the mean of all |d_b|, the p-value is (1 + the number of b with |d_b| - m > |d|) / (1 + resamples).
/// requires: systems[0], the baseline, has a translation of each sentence, and so has each other system; references as
///           in score_several; one resample at least; else Error.
/// ensures:  the figures that sacreBLEU prints for --paired-bs with numpy 2, from the same draws. (It sums in single
///           precision, which is exact for less than 16 million n-grams.)
/// saves:    nothing.
std::vector<MetricResults> paired_bootstrap(const std::vector<TextLines>& systems,
                                            const std::vector<TextLines>& references,
                                            const BootstrapOptions& options = {});

}  // namespace gradus
