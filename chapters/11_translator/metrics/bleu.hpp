#pragma once
/// \file
/// BLEU: how many n-grams of a translation occur in the reference. Kishore Papineni, Salim Roukos, Todd Ward,
/// Wei-Jing Zhu, "BLEU: a Method for Automatic Evaluation of Machine Translation", ACL 2002,
/// https://aclanthology.org/P02-1040. Smoothing, rounding and signature are sacreBLEU's (Matt Post, WMT 2018,
/// https://aclanthology.org/W18-6319), and so are the numbers. The lesson is the README.md beside this file.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "11_translator/metrics/bleu_tokenizer.hpp"

namespace gradus {

struct BleuOptions {
  bool lowercase = false;  ///< compare in lower case, in every script that has cases (gradus/io/unicode.hpp)
  BleuTokenizer tokenizer = BleuTokenizer::v13a;  ///< fitting_tokenizer() finds the one for a script
  bool effective_order = false;  ///< skip orders of which the translation has no n-gram (for one sentence)
};

/// The counts of a corpus that BLEU needs; those of a corpus are the sums of those of its sentences.
struct BleuStatistics {
  static constexpr std::size_t orders = 4;
  std::array<long, orders> correct{};  ///< n-grams of the hypotheses that are also in the references, clipped
  std::array<long, orders> total{};    ///< n-grams of the hypotheses
  long hypothesis_length = 0;          ///< in words
  long reference_length = 0;

  BleuStatistics& operator+=(const BleuStatistics& more);
};

struct BleuScore {
  double score = 0;                                         ///< 0 to 100
  std::array<double, BleuStatistics::orders> precisions{};  ///< per cent, smoothed; of 1-, 2-, 3- and 4-grams
  double brevity_penalty = 0;
  double ratio = 0;  ///< hypothesis length / reference length
  BleuStatistics statistics;
};

/// computes  corpus BLEU-4, 100 BP (p_1 p_2 p_3 p_4)^(1/4), where p_n = sum of correct n-grams / sum of n-grams and
///           BP = min(1, exp(1 - reference length / hypothesis length)), all sums over the whole corpus. The k-th
///           order without any match counts 1 / (2^k sum of n-grams) instead of 0; if no n-gram matches, the score
///           is 0.
/// requires  detokenised sentences, one reference for each, at least one sentence; else Error.
/// ensures   The score is that of sacreBLEU's corpus_bleu, digit for digit.
/// saves     the statistics.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                      const BleuOptions& options = {});

/// BLEU of one sentence, with effective order: for comparing single translations. Its mean over a corpus is not
/// corpus BLEU.
BleuScore sentence_bleu(const std::string& hypothesis, const std::string& reference, BleuOptions options = {});

/// The statistics of one sentence.
BleuStatistics bleu_statistics(const std::string& hypothesis, const std::string& reference,
                               const BleuOptions& options = {});

/// The same with several references, at least one. An n-gram may match as often as in the reference that has most
/// of it. The reference length is the one closest to the hypothesis's; of two equally close ones the smaller.
BleuStatistics bleu_statistics(const std::string& hypothesis, const std::vector<std::string>& references,
                               const BleuOptions& options = {});

/// The score that follows from the statistics.
BleuScore bleu_score(const BleuStatistics& statistics, bool effective_order = false);

/// The same score with its precisions in single precision, as sacreBLEU computes it for resampled corpora
/// (bootstrap.hpp).
double bleu_score_in_single(const BleuStatistics& statistics);

/// How the score was computed; two scores are comparable only if these agree:
/// nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|... `references` may be varying_references (ngrams.hpp).
std::string bleu_signature(const BleuOptions& options, std::size_t references = 1);

/// BLEU = 36.99 68.1/43.2/30.6/21.9 (BP = 0.987 ratio = 0.987 hyp_len = 11981 ref_len = 12137), in sacreBLEU's
/// format. If a signature is given, it follows the name.
std::string to_string(const BleuScore& bleu, const std::string& signature = "");

/// The part of it behind the score.
std::string bleu_details(const BleuScore& bleu);

}  // namespace gradus
