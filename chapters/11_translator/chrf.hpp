#pragma once
/// \file
/// chrF2: how many character n-grams of reference and translation agree. Maja Popović, "chrF: character n-gram
/// F-score for automatic MT evaluation", WMT 2015, https://aclanthology.org/W15-3049. Smoothing, rounding and
/// signature are sacreBLEU's (Matt Post, WMT 2018, https://aclanthology.org/W18-6319). The lesson is bleu.md.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// All that chrF needs to know of a corpus; statistics of sentences add up.
struct ChrfStatistics {
  static constexpr std::size_t orders = 6;
  std::array<long, orders> match{};       ///< n-grams that both have, clipped
  std::array<long, orders> hypothesis{};  ///< n-grams of the hypotheses, where the reference has any of that order
  std::array<long, orders> reference{};   ///< n-grams of the references

  ChrfStatistics& operator+=(const ChrfStatistics& more);
};

/// computes: corpus chrF2, 100 (1 + 4) P R / (4 P + R): P and R are the shares of the translations' and of the
///           references' character n-grams that match, averaged over n = 1 to 6. Recall weighs beta = 2 times as
///           much as precision. Orders that either side lacks are left out of both averages (sacreBLEU's default,
///           eff:yes).
/// requires: one reference for each translation, and one sentence at least; else Error. UTF-8.
/// ensures:  sacreBLEU's corpus_chrf, digit for digit. White space does not count; upper and lower case differ.
/// saves:    nothing.
double corpus_chrf(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references);

/// What one sentence adds to the corpus.
ChrfStatistics chrf_statistics(const std::string& hypothesis, const std::string& reference);

/// The score that statistics mean.
double chrf_score(const ChrfStatistics& statistics);

/// How the score was computed: nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|...
std::string chrf_signature();

/// chrF2 = 63.02, as sacreBLEU prints it. A signature, if given, stands behind the name.
std::string chrf_to_string(double chrf, const std::string& signature = "");

}  // namespace gradus
