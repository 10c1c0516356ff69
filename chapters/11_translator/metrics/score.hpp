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
  BleuOptions options;    ///< of BLEU; `lowercase` holds for all metrics
  std::size_t references = 1;
};

/// computes  corpus BLEU, chrF2 and chrF2++ of `hypotheses`.
/// requires  one reference for each hypothesis, at least one sentence, UTF-8; else Error.
/// ensures   The scores are those of sacreBLEU (see bleu.hpp and chrf.hpp).
/// saves     nothing.
Scores score(const TextLines& hypotheses, const TextLines& references, const BleuOptions& options = {});

/// The same with several references for each hypothesis: references[r][i] is the r-th one of sentence i. At least
/// one list of references; each has as many sentences as `hypotheses`.
Scores score_several(const TextLines& hypotheses, const std::vector<TextLines>& references,
                     const BleuOptions& options = {});

/// The statistics of one sentence for each metric; Scores are a function of their sums.
struct SentenceStatistics {
  BleuStatistics bleu;
  ChrfStatistics chrf, chrf_words;
};

/// The statistics of each sentence, with the requirements of score_several.
std::vector<SentenceStatistics> sentence_statistics(const TextLines& hypotheses,
                                                    const std::vector<TextLines>& references,
                                                    const BleuOptions& options = {});

/// The options of both chrFs that correspond to those of BLEU.
ChrfOptions chrf_options(const BleuOptions& options, bool words);

/// Three lines, each with its signature, without a line break at the end.
std::string to_string(const Scores& scores);

}  // namespace gradus
