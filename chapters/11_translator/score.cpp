#include "11_translator/score.hpp"

namespace gradus {

Scores score(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
             const BleuOptions& options) {
  return {corpus_bleu(hypotheses, references, options), corpus_chrf(hypotheses, references), options};
}

std::string to_string(const Scores& scores) {
  return to_string(scores.bleu, bleu_signature(scores.options)) + '\n' +
         chrf_to_string(scores.chrf, chrf_signature());
}

}  // namespace gradus
