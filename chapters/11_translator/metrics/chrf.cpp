#include "11_translator/metrics/chrf.hpp"

#include <cstdio>

#include "11_translator/metrics/ngrams.hpp"
#include "gradus/io/unicode.hpp"

namespace gradus {
namespace {

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/// The place of a word's punctuation mark, at its end or start: 0 if it has none, or is nothing else. (ASCII marks
/// are one byte.)
std::size_t place_of_mark(std::string_view word) {
  if (word.size() == 1) return 0;
  if (is_ascii_punctuation(word.back())) return word.size() - 1;
  return is_ascii_punctuation(word.front()) ? 1 : 0;
}

/// The words of a sentence, with one space between them. A punctuation mark at the end of a word, or else at its
/// start, becomes a word.
std::string with_marks_apart(const std::string& sentence) {
  const std::string text = join_words(sentence, " ");
  std::string apart;
  for (const std::string_view word : split_words(text)) {
    const std::size_t mark = place_of_mark(word);
    if (!apart.empty()) apart += ' ';
    apart += word.substr(0, mark);
    if (mark != 0) apart += ' ';
    apart += word.substr(mark);
  }
  return apart;
}

/// A sentence and its n-grams, which are views of the sentence.
struct Counted {
  Counted(const std::string& sentence, const ChrfOptions& options) {
    const std::string cased = options.lowercase ? lower_case(sentence) : sentence;
    letters = join_words(cased, "");
    const auto pieces = split_characters(letters);
    for (std::size_t n = 0; n < ChrfStatistics::character_orders; ++n) ngrams[n] = count_ngrams(pieces, n + 1);
    if (!options.words) return;
    words = with_marks_apart(cased);
    const auto word_pieces = split_words(words);
    for (std::size_t n = 0; n < ChrfStatistics::word_orders; ++n)
      ngrams[ChrfStatistics::character_orders + n] = count_ngrams(word_pieces, n + 1);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  std::string letters, words;
  std::array<NgramCounts, ChrfStatistics::orders> ngrams;
};

ChrfStatistics agreement(const Counted& ours, const Counted& theirs) {
  ChrfStatistics sums;
  for (std::size_t n = 0; n < ChrfStatistics::orders; ++n) {
    sums.match[n] = matches(ours.ngrams[n], theirs.ngrams[n]);
    sums.hypothesis[n] = theirs.ngrams[n].empty() ? 0 : total_count(ours.ngrams[n]);
    sums.reference[n] = total_count(theirs.ngrams[n]);
  }
  return sums;
}

template <class Real>
Real score_in(const ChrfStatistics& sums) {
  Real precision = 0, recall = 0, order = 0;
  for (std::size_t n = 0; n < ChrfStatistics::orders; ++n) {
    if (sums.hypothesis[n] == 0 || sums.reference[n] == 0) continue;
    const auto match = static_cast<Real>(sums.match[n]);
    precision += match / static_cast<Real>(sums.hypothesis[n]);
    recall += match / static_cast<Real>(sums.reference[n]);
    ++order;
  }
  if (precision + recall == 0) return 0;
  precision /= order;
  recall /= order;
  constexpr Real beta_squared = 4;
  return 100 * ((1 + beta_squared) * precision * recall / (beta_squared * precision + recall));
}

}  // namespace

ChrfStatistics& ChrfStatistics::operator+=(const ChrfStatistics& more) {
  for (std::size_t n = 0; n < orders; ++n) {
    match[n] += more.match[n];
    hypothesis[n] += more.hypothesis[n];
    reference[n] += more.reference[n];
  }
  return *this;
}

ChrfStatistics chrf_statistics(const std::string& hypothesis, const std::vector<std::string>& references,
                               const ChrfOptions& options) {
  const Counted ours(hypothesis, options);
  ChrfStatistics best;
  double best_score = -1;
  for (const std::string& reference : references) {
    const ChrfStatistics one = agreement(ours, Counted(reference, options));
    const double score = chrf_score(one);
    if (score > best_score) best = one, best_score = score;
  }
  return best;
}

ChrfStatistics chrf_statistics(const std::string& hypothesis, const std::string& reference,
                               const ChrfOptions& options) {
  return agreement(Counted(hypothesis, options), Counted(reference, options));
}

double chrf_score(const ChrfStatistics& statistics) { return score_in<double>(statistics); }
float chrf_score_in_single(const ChrfStatistics& statistics) { return score_in<float>(statistics); }

double corpus_chrf(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                   const ChrfOptions& options) {
  require_pairs("chrF", hypotheses.size(), references.size());
  ChrfStatistics sums;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    sums += chrf_statistics(hypotheses[i], references[i], options);
  return chrf_score(sums);
}

std::string chrf_name(const ChrfOptions& options) { return options.words ? "chrF2++" : "chrF2"; }

std::string chrf_signature(const ChrfOptions& options, std::size_t references) {
  return number_of_references(references) + "|case:" + (options.lowercase ? "lc" : "mixed") +
         "|eff:yes|nc:" + std::to_string(ChrfStatistics::character_orders) +
         "|nw:" + std::to_string(options.words ? ChrfStatistics::word_orders : 0) +
         "|space:no|version:gradus-" GRADUS_VERSION;
}

std::string chrf_to_string(double chrf, const std::string& signature, const ChrfOptions& options) {
  char number[40];
  std::snprintf(number, sizeof number, " = %.2f", chrf);
  return chrf_name(options) + (signature.empty() ? "" : "|" + signature) + number;
}

}  // namespace gradus
