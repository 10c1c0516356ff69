#pragma once
/// \file
/// The metrics of a translated corpus, and the lines that report them.

#include <cstddef>
#include <string>
#include <vector>

#include "11_translator/metrics/bleu.hpp"
#include "11_translator/metrics/chrf.hpp"

namespace gradus {

using TextLines = std::vector<std::string>;

struct Scores {
  BleuScore bleu;
  double chrf = 0;        ///< chrF2
  double chrf_words = 0;  ///< chrF2++
  BleuOptions options;    ///< of BLEU; in lower case or not holds for all
  std::size_t references = 1;
};

/// computes: corpus BLEU, chrF2 and chrF2++ of `hypotheses`.
/// requires: one reference for each hypothesis, one sentence at least, UTF-8; else Error.
/// ensures:  the numbers of sacreBLEU (bleu.hpp and chrf.hpp say which).
/// saves:    nothing.
Scores score(const TextLines& hypotheses, const TextLines& references, const BleuOptions& options = {});

/// The same with several references for each hypothesis: references[r][i] is the r-th one of sentence i. One reference at
/// least, each of them with as many sentences as `hypotheses`.
Scores score_several(const TextLines& hypotheses, const std::vector<TextLines>& references,
                     const BleuOptions& options = {});

/// What one sentence adds to each metric; Scores are a function of their sums.
struct SentenceStatistics {
  BleuStatistics bleu;
  ChrfStatistics chrf, chrf_words;
};

/// Of each sentence, with the requirements of score_several.
std::vector<SentenceStatistics> sentence_statistics(const TextLines& hypotheses,
                                                    const std::vector<TextLines>& references,
                                                    const BleuOptions& options = {});

/// The options of the two chrFs that belong to those of BLEU.
ChrfOptions chrf_options(const BleuOptions& options, bool words);

/// Three lines, without a line break at the end, each with the signature that makes the number comparable.
std::string to_string(const Scores& scores);

}  // namespace gradus
