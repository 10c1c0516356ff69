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

#include "gradus/util/names.hpp"

namespace gradus {

enum class BleuTokenizer { v13a, none };

template <>
struct Names<BleuTokenizer> {
  static constexpr const char* noun = "tokenizer of BLEU";
  static constexpr Name<BleuTokenizer> table[] = {{BleuTokenizer::v13a, "13a"}, {BleuTokenizer::none, "none"}};
};

struct BleuOptions {
  bool lowercase = false;  ///< compare in lower case, in every script that has one (gradus/io/unicode.hpp)
  BleuTokenizer tokenizer = BleuTokenizer::v13a;  ///< none: white space separates the words
  bool effective_order = false;  ///< leave out orders of which the translation has no n-gram (for one sentence)
};

/// All that BLEU needs to know of a corpus; statistics of sentences add up.
struct BleuStatistics {
  static constexpr std::size_t orders = 4;
  std::array<long, orders> correct{};  ///< n-grams of the hypotheses that the references have too, clipped
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

/// computes: corpus BLEU-4, 100 BP (p_1 p_2 p_3 p_4)^(1/4), where p_n = sum of correct n-grams / sum of n-grams and
///           BP = min(1, exp(1 - reference length / hypothesis length)), all sums over the whole corpus. The k-th
///           order without any match counts 1 / (2^k sum of n-grams) instead of 0; no match at all scores 0.
/// requires: detokenised sentences, one reference each; else Error. One sentence at least.
/// ensures:  sacreBLEU's corpus_bleu, digit for digit.
/// saves:    the statistics.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                      const BleuOptions& options = {});

/// BLEU of one sentence, with effective order: for looking at single translations. Its mean over a corpus is not
/// corpus BLEU.
BleuScore sentence_bleu(const std::string& hypothesis, const std::string& reference, BleuOptions options = {});

/// What one sentence adds to the corpus.
BleuStatistics bleu_statistics(const std::string& hypothesis, const std::string& reference,
                               const BleuOptions& options = {});

/// The same with several references, one at least. An n-gram may match as often as the reference that has most of it; the
/// reference length is the one closest to the hypothesis's, of two equally close ones the smaller.
BleuStatistics bleu_statistics(const std::string& hypothesis, const std::vector<std::string>& references,
                               const BleuOptions& options = {});

/// The score that statistics mean.
BleuScore bleu_score(const BleuStatistics& statistics, bool effective_order = false);

/// The same number with its precisions in single precision: sacreBLEU computes resampled corpora so (bootstrap.hpp).
double bleu_score_in_single(const BleuStatistics& statistics);

/// How the score was computed, without which it cannot be compared:
/// nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|...
std::string bleu_signature(const BleuOptions& options, std::size_t references = 1);

/// BLEU = 36.99 68.1/43.2/30.6/21.9 (BP = 0.987 ratio = 0.987 hyp_len = 11981 ref_len = 12137), as sacreBLEU prints
/// it. A signature, if given, stands behind the name.
std::string to_string(const BleuScore& bleu, const std::string& signature = "");

}  // namespace gradus
