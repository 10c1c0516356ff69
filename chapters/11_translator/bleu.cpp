#include "11_translator/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "11_translator/ngrams.hpp"
#include "11_translator/tokenize_13a.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

std::string prepare(const std::string& sentence, const BleuOptions& options) {
  const std::string text = options.lowercase ? lower_case(sentence) : sentence;
  return options.tokenizer == BleuTokenizer::v13a ? tokenize_13a(text) : join_words(text, " ");
}

/// Too short is punished here, too long by the precisions. Once for the corpus: single sentences may be shorter
/// than their references if others are longer.
double brevity_penalty(long hypothesis_length, long reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  if (hypothesis_length == 0) return 0;
  return std::exp(1 - static_cast<double>(reference_length) / static_cast<double>(hypothesis_length));
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

BleuStatistics bleu_statistics(const std::string& hypothesis, const std::string& reference,
                               const BleuOptions& options) {
  const std::string hypothesis_text = prepare(hypothesis, options), reference_text = prepare(reference, options);
  const auto hypothesis_words = split_words(hypothesis_text), reference_words = split_words(reference_text);
  BleuStatistics sums;
  for (std::size_t n = 0; n < BleuStatistics::orders; ++n) {
    const NgramCounts ngrams = count_ngrams(hypothesis_words, n + 1);
    sums.correct[n] = matches(ngrams, count_ngrams(reference_words, n + 1));
    sums.total[n] = total_count(ngrams);
  }
  sums.hypothesis_length = static_cast<long>(hypothesis_words.size());
  sums.reference_length = static_cast<long>(reference_words.size());
  return sums;
}

BleuScore bleu_score(const BleuStatistics& sums, bool effective_order) {
  BleuScore bleu;
  bleu.statistics = sums;
  bleu.brevity_penalty = brevity_penalty(sums.hypothesis_length, sums.reference_length);
  if (sums.reference_length > 0) {
    bleu.ratio = static_cast<double>(sums.hypothesis_length) / static_cast<double>(sums.reference_length);
  }
  if (std::all_of(sums.correct.begin(), sums.correct.end(), [](long count) { return count == 0; })) return bleu;

  double sum_of_logs = 0, smoothing = 1;
  std::size_t order = 0;
  for (; order < BleuStatistics::orders && sums.total[order] > 0; ++order) {
    const auto total = static_cast<double>(sums.total[order]);
    const auto correct = static_cast<double>(sums.correct[order]);
    if (sums.correct[order] == 0) smoothing *= 2;
    bleu.precisions[order] = sums.correct[order] == 0 ? 100 / (smoothing * total) : 100 * correct / total;
    sum_of_logs += std::log(bleu.precisions[order]);
  }
  if (order < BleuStatistics::orders && !effective_order) return bleu;  // no 4-gram at all: a factor of 0
  bleu.score = bleu.brevity_penalty * std::exp(sum_of_logs / static_cast<double>(order));
  return bleu;
}

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

std::string bleu_signature(const BleuOptions& options) {
  return std::string("nrefs:1|case:") + (options.lowercase ? "lc" : "mixed") +
         "|eff:" + (options.effective_order ? "yes" : "no") +
         "|tok:" + (options.tokenizer == BleuTokenizer::v13a ? "13a" : "none") +
         "|smooth:exp|version:gradus-" GRADUS_VERSION;
}

std::string to_string(const BleuScore& bleu, const std::string& signature) {
  const auto& [p1, p2, p3, p4] = bleu.precisions;
  char numbers[200];
  std::snprintf(numbers, sizeof numbers,
                " = %.2f %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %ld ref_len = %ld)", bleu.score, p1,
                p2, p3, p4, bleu.brevity_penalty, bleu.ratio, bleu.statistics.hypothesis_length,
                bleu.statistics.reference_length);
  return (signature.empty() ? "BLEU" : "BLEU|" + signature) + numbers;
}

}  // namespace gradus
