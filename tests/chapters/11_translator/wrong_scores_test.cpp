// Known mistakes of programs that compute BLEU or chrF. The golden cases must distinguish each of them from the
// real metric.
#include <algorithm>
#include <functional>

#include "11_translator/metrics/ngrams.hpp"
#include "11_translator/metrics/score.hpp"
#include "11_translator/metrics/tokenize_13a.hpp"
#include "golden_scores.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"
#include "multi30k.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Scorer = std::function<double(const Sentences& hypotheses, const Sentences& references)>;

/// The number of golden cases with default options for which a metric differs from sacreBLEU.
int disagreements(const Scorer& metric, const char* key) {
  int count = 0;
  for (const json& expected : golden().at("cases")) {
    if (expected.at("lowercase") || expected.at("tokenize") == "none") continue;
    std::istringstream line(expected.at(key).get<std::string>());
    std::string name, equals, number;
    line >> name >> equals >> number;
    count += two_decimals(metric(expected.at("hypotheses"), expected.at("references"))) != number;
  }
  return count;
}

double mean_of_sentences(const Sentences& hypotheses, const Sentences& references) {
  double sum = 0;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) sum += sentence_bleu(hypotheses[i], references[i]).score;
  return sum / static_cast<double>(hypotheses.size());
}

double without_brevity_penalty(const Sentences& hypotheses, const Sentences& references) {
  const BleuScore bleu = corpus_bleu(hypotheses, references);
  return bleu.brevity_penalty > 0 ? bleu.score / bleu.brevity_penalty : 0;
}

double without_smoothing(const Sentences& hypotheses, const Sentences& references) {
  const BleuScore bleu = corpus_bleu(hypotheses, references);
  for (const long correct : bleu.statistics.correct) {
    if (correct == 0) return 0;
  }
  return bleu.score;
}

/// Every word that the reference has counts, however often it is repeated.
double without_clipping(const Sentences& hypotheses, const Sentences& references) {
  BleuStatistics sums;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    BleuStatistics one = bleu_statistics(hypotheses[i], references[i]);
    const std::string hypothesis = tokenize_13a(hypotheses[i]), reference = tokenize_13a(references[i]);
    for (std::size_t n = 0; n < BleuStatistics::orders; ++n) {
      const NgramCounts known = count_ngrams(split_words(reference), n + 1);
      one.correct[n] = 0;
      for (const auto& [ngram, count] : count_ngrams(split_words(hypothesis), n + 1)) {
        if (known.count(ngram) > 0) one.correct[n] += count;
      }
    }
    sums += one;
  }
  return bleu_score(sums).score;
}

/// The scorer of much copied code: it expects lists of sentences and gets lists of words. So it compares each word,
/// letter by letter, with the word at the same place, and ignores the surplus of one side.
double character_bleu(const Sentences& hypotheses, const Sentences& references) {
  BleuStatistics sums;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const auto words = split_words(hypotheses[i]), reference_words = split_words(references[i]);
    for (std::size_t w = 0; w < std::min(words.size(), reference_words.size()); ++w) {
      const auto spell = [](std::string_view word) {
        std::string letters;
        for (const std::string_view letter : split_characters(word)) letters += std::string(letter) + ' ';
        return letters;
      };
      sums += bleu_statistics(spell(words[w]), spell(reference_words[w]), {false, BleuTokenizer::none, false});
    }
  }
  for (const long correct : sums.correct) {
    if (correct == 0) return 0;
  }
  return bleu_score(sums).score;
}

/// Counts every byte as a character.
double chrf_of_bytes(const Sentences& hypotheses, const Sentences& references) {
  const auto as_characters = [](Sentences sentences) {
    for (std::string& sentence : sentences) {
      std::string wide;
      for (const char byte : join_words(sentence, "")) append_utf8(wide, static_cast<unsigned char>(byte) + 0x100U);
      sentence = wide;
    }
    return sentences;
  };
  return corpus_chrf(as_characters(hypotheses), as_characters(references));
}

const json& case_named(const char* name) {
  for (const json& expected : golden().at("cases")) {
    if (expected.at("name") == name) return expected;
  }
  throw Error(std::string("no golden case is named ") + name);
}

}  // namespace

TEST_CASE("the golden cases reject every known wrong BLEU and chrF") {
  const auto bleu = [](const BleuOptions& options) {
    return [options](const Sentences& h, const Sentences& r) { return corpus_bleu(h, r, options).score; };
  };
  CHECK(disagreements(bleu({}), "bleu") == 0);
  CHECK(disagreements(character_bleu, "bleu") > 50);
  CHECK(disagreements(mean_of_sentences, "bleu") > 50);
  CHECK(disagreements(without_brevity_penalty, "bleu") > 50);
  CHECK(disagreements(without_clipping, "bleu") > 5);
  CHECK(disagreements(without_smoothing, "bleu") > 5);
  CHECK(disagreements(bleu({true, BleuTokenizer::v13a, false}), "bleu") > 5);
  CHECK(disagreements(bleu({false, BleuTokenizer::none, false}), "bleu") > 50);

  const auto chrf = [](bool words) {
    return [words](const Sentences& h, const Sentences& r) { return corpus_chrf(h, r, chrf_options({}, words)); };
  };
  CHECK(disagreements(chrf(false), "chrf") == 0);
  CHECK(disagreements(chrf(true), "chrf++") == 0);
  CHECK(disagreements(chrf(true), "chrf") > 50);
  CHECK(disagreements(chrf_of_bytes, "chrf") > 50);
  const Scorer precision_first = [](const Sentences& h, const Sentences& r) { return corpus_chrf(r, h); };
  CHECK(disagreements(precision_first, "chrf") > 50);
}

TEST_CASE("letters of words at the same place are not BLEU") {
  const json &shifted = case_named("shifted by one word"), &beginning = case_named("first three words alone");
  CHECK(character_bleu(shifted.at("hypotheses"), shifted.at("references")) == 0);
  CHECK(corpus_bleu(shifted.at("hypotheses"), shifted.at("references")).score > 89);
  CHECK(character_bleu(beginning.at("hypotheses"), beginning.at("references")) == Approx(100));
  CHECK(corpus_bleu(beginning.at("hypotheses"), beginning.at("references")).score == 0);
}

TEST_CASE("the table about letters in the lesson on BLEU is true, where GRADUS_DATA holds the sentences") {
  if (!multi30k_is_here()) return;
  const Sentences references = multi30k("test_2016_flickr.de");
  const auto mean = [&](const Sentences& hypotheses) {
    double sum = 0;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) sum += character_bleu({hypotheses[i]}, {references[i]});
    return sum / static_cast<double>(hypotheses.size());
  };
  CHECK(two_decimals(mean(references)) == "100.00");
  CHECK(two_decimals(mean(changed(references, "one word before"))) == "0.26");
  CHECK(two_decimals(mean(changed(references, "first three words"))) == "99.10");
}
