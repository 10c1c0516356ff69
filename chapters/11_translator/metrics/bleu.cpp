#include "11_translator/metrics/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "11_translator/metrics/ngrams.hpp"
#include "gradus/io/unicode.hpp"

namespace gradus {
namespace {

std::string prepare(const std::string& sentence, const BleuOptions& options) {
  const std::string text = options.lowercase ? lower_case(sentence) : sentence;
  return tokenize(options.tokenizer, text);
}

/// The brevity penalty: it lowers the score of translations that are too short; the precisions do that for those
/// that are too long. It is computed once for the corpus: single sentences may be shorter than their references if
/// others are longer.
double brevity_penalty(long hypothesis_length, long reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  if (hypothesis_length == 0) return 0;
  return std::exp(1 - static_cast<double>(reference_length) / static_cast<double>(hypothesis_length));
}

/// The reference length that is closest to `length`; of two equally close ones the smaller.
long closest(const std::vector<long>& lengths, long length) {
  return *std::min_element(lengths.begin(), lengths.end(), [&](long a, long b) {
    return std::pair(std::abs(a - length), a) < std::pair(std::abs(b - length), b);
  });
}

/// The score of a corpus; `Real` is the type of the precisions.
template <class Real>
BleuScore score_in(const BleuStatistics& sums, bool effective_order) {
  BleuScore bleu;
  bleu.statistics = sums;
  bleu.brevity_penalty = brevity_penalty(sums.hypothesis_length, sums.reference_length);
  if (sums.reference_length > 0) {
    bleu.ratio = static_cast<double>(sums.hypothesis_length) / static_cast<double>(sums.reference_length);
  }
  if (std::all_of(sums.correct.begin(), sums.correct.end(), [](long count) { return count == 0; })) return bleu;

  double sum_of_logs = 0;
  Real smoothing = 1;
  std::size_t order = 0;
  for (; order < BleuStatistics::orders && sums.total[order] > 0; ++order) {
    const auto total = static_cast<Real>(sums.total[order]), correct = static_cast<Real>(sums.correct[order]);
    if (sums.correct[order] == 0) smoothing *= 2;
    bleu.precisions[order] = sums.correct[order] == 0 ? 100 / (smoothing * total) : 100 * correct / total;
    sum_of_logs += std::log(bleu.precisions[order]);
  }
  if (order < BleuStatistics::orders && !effective_order) return bleu;  // no 4-gram at all: a factor of 0
  bleu.score = bleu.brevity_penalty * std::exp(sum_of_logs / static_cast<double>(order));
  return bleu;
}

}  // namespace

BleuStatistics& BleuStatistics::operator+=(const BleuStatistics& more) {
  for (std::size_t n = 0; n < orders; ++n) {
    correct[n] += more.correct[n];
    total[n] += more.total[n];
  }
  hypothesis_length += more.hypothesis_length;
  reference_length += more.reference_length;
  return *this;
}

BleuStatistics bleu_statistics(const std::string& hypothesis, const std::vector<std::string>& references,
                               const BleuOptions& options) {
  const std::string text = prepare(hypothesis, options);
  const auto words = split_words(text);
  std::vector<std::string> reference_texts;  // all of them first, because views point into the texts
  for (const std::string& reference : references) reference_texts.push_back(prepare(reference, options));
  std::vector<long> lengths;
  std::array<NgramCounts, BleuStatistics::orders> known;
  for (const std::string& reference : reference_texts) {
    const auto reference_words = split_words(reference);
    lengths.push_back(static_cast<long>(reference_words.size()));
    for (std::size_t n = 0; n < known.size(); ++n) keep_most(known[n], count_ngrams(reference_words, n + 1));
  }
  BleuStatistics sums;
  for (std::size_t n = 0; n < known.size(); ++n) {
    const NgramCounts ngrams = count_ngrams(words, n + 1);
    sums.correct[n] = matches(ngrams, known[n]);
    sums.total[n] = total_count(ngrams);
  }
  sums.hypothesis_length = static_cast<long>(words.size());
  sums.reference_length = closest(lengths, sums.hypothesis_length);
  return sums;
}

BleuStatistics bleu_statistics(const std::string& hypothesis, const std::string& reference,
                               const BleuOptions& options) {
  return bleu_statistics(hypothesis, std::vector<std::string>{reference}, options);
}

BleuScore bleu_score(const BleuStatistics& statistics, bool effective_order) {
  return score_in<double>(statistics, effective_order);
}

double bleu_score_in_single(const BleuStatistics& statistics) { return score_in<float>(statistics, false).score; }

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                      const BleuOptions& options) {
  require_pairs("BLEU", hypotheses.size(), references.size());
  BleuStatistics sums;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    sums += bleu_statistics(hypotheses[i], references[i], options);
  return bleu_score(sums, options.effective_order);
}

BleuScore sentence_bleu(const std::string& hypothesis, const std::string& reference, BleuOptions options) {
  options.effective_order = true;
  return corpus_bleu({hypothesis}, {reference}, options);
}

std::string bleu_signature(const BleuOptions& options, std::size_t references) {
  return number_of_references(references) + "|case:" + (options.lowercase ? "lc" : "mixed") +
         "|eff:" + (options.effective_order ? "yes" : "no") + "|tok:" + name_of(options.tokenizer) +
         "|smooth:exp|version:gradus-" GRADUS_VERSION;
}

std::string bleu_details(const BleuScore& bleu) {
  const auto& [p1, p2, p3, p4] = bleu.precisions;
  char numbers[200];
  std::snprintf(numbers, sizeof numbers, "%.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %ld ref_len = %ld)",
                p1, p2, p3, p4, bleu.brevity_penalty, bleu.ratio, bleu.statistics.hypothesis_length,
                bleu.statistics.reference_length);
  return numbers;
}

std::string to_string(const BleuScore& bleu, const std::string& signature) {
  char score[40];
  std::snprintf(score, sizeof score, " = %.2f ", bleu.score);
  return (signature.empty() ? "BLEU" : "BLEU|" + signature) + score + bleu_details(bleu);
}

}  // namespace gradus
