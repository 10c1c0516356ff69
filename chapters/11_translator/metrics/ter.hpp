#pragma once
/// \file
/// TER, the translation edit rate: how many edits turn a translation into the reference. Matthew Snover, Bonnie Dorr, Richard
/// Schwartz, Linnea Micciulla, John Makhoul, "A Study of Translation Edit Rate with Targeted Human Annotation", AMTA 2006,
/// https://aclanthology.org/2006.amta-papers.25. The search for shifts is Tercom's, in sacreBLEU's version (Matt Post, WMT
/// 2018, https://aclanthology.org/W18-6319). The lesson is the README.md beside this file.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// The counts of a corpus that TER needs; those of a corpus are the sums of those of its sentences.
struct TerStatistics {
  long edits = 0;
  double reference_length = 0;  ///< in words; of several references the mean of their lengths

  TerStatistics& operator+=(const TerStatistics& more);
};

/// The sums of a resampled corpus, in single precision as in sacreBLEU (bootstrap.hpp).
struct TerSums {
  float edits = 0, reference_length = 0;

  TerSums& operator+=(const TerStatistics& more);
};

/// computes  corpus TER, 100 edits / words of the references. An edit replaces, inserts or removes a word, or moves words
///           that stand side by side, to another place. Case does not count; words are what white space separates.
/// requires  one reference for each translation, at least one sentence; else Error.
/// ensures   The score is that of sacreBLEU's TER with its defaults, digit for digit. 0 is the best; more than 100 is possible.
/// saves     nothing.
double corpus_ter(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references);

/// The statistics of one sentence with several references, at least one: the fewest edits to any of them.
TerStatistics ter_statistics(const std::string& hypothesis, const std::vector<std::string>& references);

/// The score that follows from the statistics.
double ter_score(const TerStatistics& statistics);
float ter_score_in_single(const TerSums& sums);

/// How the score was computed: nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|...
std::string ter_signature(std::size_t references = 1);

}  // namespace gradus
