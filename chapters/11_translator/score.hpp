#pragma once
/// \file
/// Both metrics of a translated corpus, and the lines that report them.

#include <string>
#include <vector>

#include "11_translator/bleu.hpp"
#include "11_translator/chrf.hpp"

namespace gradus {

struct Scores {
  BleuScore bleu;
  double chrf = 0;
  BleuOptions options;  ///< of BLEU; chrF has none
};

/// computes: corpus BLEU and chrF2 of `hypotheses`.
/// requires: one reference for each hypothesis, one sentence at least; else Error.
/// ensures:  the numbers of sacreBLEU (bleu.hpp and chrf.hpp say which).
/// saves:    nothing.
Scores score(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
             const BleuOptions& options = {});

/// Two lines, without a line break at the end, each with the signature that makes the number comparable.
std::string to_string(const Scores& scores);

}  // namespace gradus
