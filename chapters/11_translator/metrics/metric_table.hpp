#pragma once
/// \file
/// How each metric follows from the statistics of sentences: one place for scores, sentences and resampled corpora.

#include <string>

#include "11_translator/metrics/score.hpp"

namespace gradus {

/// A metric: its part of a sentence's statistics, and the scores that follow from them. `Sums` adds up the statistics of a
/// resampled corpus; `Real` is the type in which sacreBLEU computes its score.
template <class Statistics, class Sums, class Real>
struct MetricOf {
  std::string name, signature;
  Statistics SentenceStatistics::*own;
  double (*score)(const Statistics& of_corpus);
  double (*of_sentence)(const Statistics& of_sentence);
  Real (*resampled)(const Sums& sums);
};

/// Calls use(metric) with the description of a metric; `references` is the number of references of each sentence.
template <class Use>
void with_metric(Metric metric, const BleuOptions& options, std::size_t references, const Use& use) {
  switch (metric) {
    case Metric::bleu: {
      const auto whole = [](const BleuStatistics& s) { return bleu_score(s).score; };
      const auto effective = [](const BleuStatistics& s) { return bleu_score(s, true).score; };
      return use(MetricOf<BleuStatistics, BleuStatistics, double>{
          "BLEU", bleu_signature(options, references), &SentenceStatistics::bleu,
          options.effective_order ? +effective : +whole, effective, bleu_score_in_single});
    }
    case Metric::chrf:
    case Metric::chrf_words: {
      const bool words = metric == Metric::chrf_words;
      const ChrfOptions chrf = chrf_options(options, words);
      return use(MetricOf<ChrfStatistics, ChrfStatistics, float>{
          chrf_name(chrf), chrf_signature(chrf, references),
          words ? &SentenceStatistics::chrf_words : &SentenceStatistics::chrf, chrf_score, chrf_score,
          chrf_score_in_single});
    }
    case Metric::ter:
      return use(MetricOf<TerStatistics, TerSums, float>{"TER", ter_signature(references), &SentenceStatistics::ter,
                                                         ter_score, ter_score, ter_score_in_single});
  }
}

}  // namespace gradus
