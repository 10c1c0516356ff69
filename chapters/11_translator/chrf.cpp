#include "11_translator/chrf.hpp"

#include <cstdio>

#include "11_translator/ngrams.hpp"

namespace gradus {

ChrfStatistics& ChrfStatistics::operator+=(const ChrfStatistics& more) {
  for (std::size_t n = 0; n < orders; ++n) {
    match[n] += more.match[n];
    hypothesis[n] += more.hypothesis[n];
    reference[n] += more.reference[n];
  }
  return *this;
}

ChrfStatistics chrf_statistics(const std::string& hypothesis, const std::string& reference) {
  const std::string hypothesis_text = join_words(hypothesis, ""), reference_text = join_words(reference, "");
  const auto hypothesis_characters = split_characters(hypothesis_text);
  const auto reference_characters = split_characters(reference_text);
  ChrfStatistics sums;
  for (std::size_t n = 0; n < ChrfStatistics::orders; ++n) {
    const NgramCounts ours = count_ngrams(hypothesis_characters, n + 1);
    const NgramCounts theirs = count_ngrams(reference_characters, n + 1);
    sums.match[n] = matches(ours, theirs);
    sums.hypothesis[n] = theirs.empty() ? 0 : total_count(ours);
    sums.reference[n] = total_count(theirs);
  }
  return sums;
}

double chrf_score(const ChrfStatistics& sums) {
  double precision = 0, recall = 0, order = 0;
  for (std::size_t n = 0; n < ChrfStatistics::orders; ++n) {
    if (sums.hypothesis[n] == 0 || sums.reference[n] == 0) continue;
    const auto match = static_cast<double>(sums.match[n]);
    precision += match / static_cast<double>(sums.hypothesis[n]);
    recall += match / static_cast<double>(sums.reference[n]);
    ++order;
  }
  if (precision + recall == 0) return 0;
  precision /= order;
  recall /= order;
  constexpr double beta_squared = 4;
  return 100 * ((1 + beta_squared) * precision * recall / (beta_squared * precision + recall));
}

double corpus_chrf(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references) {
  require_pairs("chrF", hypotheses.size(), references.size());
  ChrfStatistics sums;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) sums += chrf_statistics(hypotheses[i], references[i]);
  return chrf_score(sums);
}

std::string chrf_signature() {
  return "nrefs:1|case:mixed|eff:yes|nc:" + std::to_string(ChrfStatistics::orders) +
         "|nw:0|space:no|version:gradus-" GRADUS_VERSION;
}

std::string chrf_to_string(double chrf, const std::string& signature) {
  char number[40];
  std::snprintf(number, sizeof number, " = %.2f", chrf);
  return (signature.empty() ? "chrF2" : "chrF2|" + signature) + number;
}

}  // namespace gradus
