#include "11_translator/metrics/score.hpp"

#include "11_translator/metrics/ngrams.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

ChrfOptions chrf_options(const BleuOptions& options, bool words) {
  ChrfOptions chrf;
  chrf.lowercase = options.lowercase;
  chrf.words = words;
  return chrf;
}

std::vector<SentenceStatistics> sentence_statistics(const TextLines& hypotheses,
                                                    const std::vector<TextLines>& references,
                                                    const BleuOptions& options) {
  if (references.empty()) fail("a score needs references");
  require_text(hypotheses, "translation", utf8_fault_of);
  for (const TextLines& one : references) {
    require_pairs("a score", hypotheses.size(), one.size());
    require_text(one, "reference", utf8_fault_of);
  }
  std::vector<SentenceStatistics> all;
  TextLines of_sentence(references.size());
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    for (std::size_t r = 0; r < references.size(); ++r) of_sentence[r] = references[r][i];
    all.push_back({bleu_statistics(hypotheses[i], of_sentence, options),
                   chrf_statistics(hypotheses[i], of_sentence, chrf_options(options, false)),
                   chrf_statistics(hypotheses[i], of_sentence, chrf_options(options, true))});
  }
  return all;
}

Scores score_several(const TextLines& hypotheses, const std::vector<TextLines>& references,
                     const BleuOptions& options) {
  SentenceStatistics sums;
  for (const SentenceStatistics& one : sentence_statistics(hypotheses, references, options)) {
    sums.bleu += one.bleu;
    sums.chrf += one.chrf;
    sums.chrf_words += one.chrf_words;
  }
  return {bleu_score(sums.bleu, options.effective_order), chrf_score(sums.chrf), chrf_score(sums.chrf_words),
          options, references.size()};
}

Scores score(const TextLines& hypotheses, const TextLines& references, const BleuOptions& options) {
  return score_several(hypotheses, {references}, options);
}

std::string to_string(const Scores& scores) {
  const ChrfOptions letters = chrf_options(scores.options, false), words = chrf_options(scores.options, true);
  return to_string(scores.bleu, bleu_signature(scores.options, scores.references)) + '\n' +
         chrf_to_string(scores.chrf, chrf_signature(letters, scores.references), letters) + '\n' +
         chrf_to_string(scores.chrf_words, chrf_signature(words, scores.references), words);
}

}  // namespace gradus
