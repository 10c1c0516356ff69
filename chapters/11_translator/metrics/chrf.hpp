#pragma once
/// \file
/// chrF2: how many character n-grams of reference and translation agree, and chrF2++, which counts words and pairs of words
/// too. Maja Popović, "chrF: character n-gram F-score for automatic MT evaluation", WMT 2015,
/// https://aclanthology.org/W15-3049, and "chrF++: words helping character n-grams", WMT 2017,
/// https://aclanthology.org/W17-4770. Smoothing, rounding and signature are sacreBLEU's (Matt Post, WMT 2018,
/// https://aclanthology.org/W18-6319). The lesson is the README.md beside this file.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

struct ChrfOptions {
  bool lowercase = false;  ///< compare in lower case, in every script that has cases (gradus/io/unicode.hpp)
  bool words = false;      ///< chrF2++: n-grams of words, n = 1 and 2, beside those of characters
};

/// The counts of a corpus that chrF needs; those of a corpus are the sums of those of its sentences. Without
/// ChrfOptions::words the last two orders are 0.
struct ChrfStatistics {
  static constexpr std::size_t character_orders = 6, word_orders = 2, orders = character_orders + word_orders;
  std::array<long, orders> match{};       ///< n-grams in both, clipped
  std::array<long, orders> hypothesis{};  ///< n-grams of the hypotheses, if the reference has any of that order
  std::array<long, orders> reference{};   ///< n-grams of the references

  ChrfStatistics& operator+=(const ChrfStatistics& more);
};

/// computes  corpus chrF2, 100 (1 + 4) P R / (4 P + R). P is the share of the translations' n-grams that match, R
///           that of the references'. Both are averaged over the orders: n = 1 to 6 of characters and, for chrF2++,
///           n = 1 and 2 of words. Recall weighs beta = 2 times as much as precision. Orders that either side lacks
///           are left out of both averages (sacreBLEU's default, eff:yes). A word's last ASCII punctuation mark, or
///           else its first, is a word of its own.
/// requires  one reference for each translation, at least one sentence, UTF-8; else Error.
/// ensures   The score is that of sacreBLEU's corpus_chrf, digit for digit. White space does not count as a
///           character.
/// saves     nothing.
double corpus_chrf(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                   const ChrfOptions& options = {});

/// The statistics of one sentence.
ChrfStatistics chrf_statistics(const std::string& hypothesis, const std::string& reference,
                               const ChrfOptions& options = {});

/// The same with several references, at least one: uses the reference with the best score for the sentence; of
/// equal ones the first.
ChrfStatistics chrf_statistics(const std::string& hypothesis, const std::vector<std::string>& references,
                               const ChrfOptions& options = {});

/// The score that follows from the statistics.
double chrf_score(const ChrfStatistics& statistics);

/// The same in single precision, as sacreBLEU computes it for resampled corpora (bootstrap.hpp).
float chrf_score_in_single(const ChrfStatistics& statistics);

/// "chrF2", or "chrF2++" with words.
std::string chrf_name(const ChrfOptions& options);

/// How the score was computed: nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|...
std::string chrf_signature(const ChrfOptions& options = {}, std::size_t references = 1);

/// chrF2 = 63.02, in sacreBLEU's format. If a signature is given, it follows the name.
std::string chrf_to_string(double chrf, const std::string& signature = "", const ChrfOptions& options = {});

}  // namespace gradus
