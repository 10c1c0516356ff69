#include "11_translator/metrics/score.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "11_translator/metrics/metric_table.hpp"
#include "11_translator/metrics/ngrams.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

bool has_text(const std::string& line) { return !join_words(line, "").empty(); }

std::string two_decimals(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

SentenceStatistics statistics_of(const std::string& hypothesis, const TextLines& references,
                                 const BleuOptions& options, const Metrics& metrics) {
  SentenceStatistics s;
  for (const Metric metric : metrics) {
    switch (metric) {
      case Metric::bleu:
        s.bleu = bleu_statistics(hypothesis, references, options);
        break;
      case Metric::chrf:
        s.chrf = chrf_statistics(hypothesis, references, chrf_options(options, false));
        break;
      case Metric::chrf_words:
        s.chrf_words = chrf_statistics(hypothesis, references, chrf_options(options, true));
        break;
      case Metric::ter:
        s.ter = ter_statistics(hypothesis, references);
        break;
    }
  }
  return s;
}

}  // namespace

ChrfOptions chrf_options(const BleuOptions& options, bool words) {
  ChrfOptions chrf;
  chrf.lowercase = options.lowercase;
  chrf.words = words;
  return chrf;
}

TextLines references_of(const std::vector<TextLines>& references, std::size_t i) {
  TextLines found;
  for (const TextLines& one : references) {
    if (has_text(one[i])) found.push_back(one[i]);
  }
  return found.empty() ? TextLines{references.front()[i]} : found;
}

std::size_t number_of_each(const std::vector<TextLines>& references) {
  std::size_t number = references.size();
  for (std::size_t i = 0; i < references.front().size(); ++i) {
    const std::size_t here = references_of(references, i).size();
    if (i > 0 && here != number) return varying_references;
    number = here;
  }
  return number;
}

std::vector<SentenceStatistics> sentence_statistics(const TextLines& hypotheses,
                                                    const std::vector<TextLines>& references,
                                                    const BleuOptions& options, const Metrics& metrics) {
  if (references.empty()) fail("a score needs references");
  require_text(hypotheses, "translation", utf8_fault_of);
  for (const TextLines& one : references) {
    require_pairs("a score", hypotheses.size(), one.size());
    require_text(one, "reference", utf8_fault_of);
  }
  std::vector<SentenceStatistics> all;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    all.push_back(statistics_of(hypotheses[i], references_of(references, i), options, metrics));
  return all;
}

Scores score_several(const TextLines& hypotheses, const std::vector<TextLines>& references,
                     const BleuOptions& options, const Metrics& metrics) {
  const auto statistics = sentence_statistics(hypotheses, references, options, metrics);
  Scores scores;
  scores.references = number_of_each(references);
  SentenceStatistics sums;
  for (const Metric kind : metrics) {
    with_metric(kind, options, scores.references, [&](const auto& metric) {
      MetricScore one{metric.name, metric.signature};
      auto& sum = sums.*metric.own = {};
      for (const SentenceStatistics& sentence : statistics) {
        sum += sentence.*metric.own;
        one.sentences.push_back(metric.of_sentence(sentence.*metric.own));
      }
      one.score = metric.score(sum);
      scores.metrics.push_back(std::move(one));
    });
    if (kind != Metric::bleu) continue;
    scores.bleu = bleu_score(sums.bleu, options.effective_order);
    scores.metrics.back().details = bleu_details(scores.bleu);
  }
  scores.chrf = chrf_score(sums.chrf), scores.chrf_words = chrf_score(sums.chrf_words),
  scores.ter = ter_score(sums.ter);
  return scores;
}

Scores score(const TextLines& hypotheses, const TextLines& references, const BleuOptions& options,
             const Metrics& metrics) {
  return score_several(hypotheses, {references}, options, metrics);
}

std::string to_string(const MetricScore& s) {
  std::string line = s.name + "|" + s.signature + " = " + two_decimals(s.score);
  if (s.interval && s.interval->mean > 0)
    line += " (μ = " + two_decimals(s.interval->mean) + " ± " + two_decimals(s.interval->half_width) + ")";
  return s.details.empty() ? line : line + " " + s.details;
}

std::string to_string(const Scores& scores) {
  std::string lines;
  for (const MetricScore& one : scores.metrics) lines += (lines.empty() ? "" : "\n") + to_string(one);
  return lines;
}

}  // namespace gradus
