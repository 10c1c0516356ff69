#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "11_translator/metrics/bleu.hpp"
#include "11_translator/search/search_host.hpp"
#include "gradus/text/subwords.hpp"
#include "support/catch.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The pieces of the words, as plain.cpp writes them, and how many pieces the words of the training text have together.
struct Cut {
  std::vector<double> bytes;
  double pieces = 0;

  explicit Cut(int merges) {
    const std::vector<std::pair<std::string, std::size_t>> words{{"ein", 2},    {"eine", 3}, {"einen", 2},
                                                                 {"kleine", 3}, {"Kind", 3}, {"kein", 0}};
    std::vector<std::string> sentences;
    for (const auto& [word, times] : words) sentences.insert(sentences.end(), times, word);
    const int characters = 12;  // eight, and four special pieces
    const Subwords subwords =
        Subwords::from_bytes(Subwords::train(sentences, {characters + merges, SubwordModel::bpe}));
    for (const auto& [word, times] : words) {
      const std::vector<Subwords::Piece> cut = subwords.pieces(word);
      std::string line;
      for (const Subwords::Piece& piece : cut) line += " " + piece.text;
      line += " |";
      for (const char c : line) bytes.push_back(static_cast<double>(c));
      pieces += static_cast<double>(times * cut.size());
    }
  }
};

/// The search with K beams, given the probabilities of plain.cpp: next[5 i + j] is that of word j after word i.
NBest search(std::size_t K, double alpha, const std::vector<double>& next) {
  constexpr std::size_t words = 5;
  const Specials specials;
  const std::int32_t first = specials.eos;  // word 0 is <eos>, and the others follow
  SearchOptions options;
  options.beam_size = options.n_best = K;
  options.length_penalty = alpha;
  SentenceSearch search(options, 20);
  while (!search.open().empty()) {
    std::vector<double> scores;
    std::vector<std::int32_t> ids;
    for (const Beam& beam : search.open()) {
      const std::size_t last = beam.words.empty() ? 0 : static_cast<std::size_t>(beam.words.back() - first);
      for (std::size_t j = 0; j < words; ++j) {
        scores.push_back(std::log(next[words * last + j]));
        ids.push_back(first + static_cast<std::int32_t>(j));
      }
    }
    search.extend(scores.data(), ids.data(), words);
  }
  return search.result();
}

}  // namespace

TEST_CASE("translator: plain.cpp computes what the library computes") {
  PlainNumbers plain(GRADUS_PLAIN);
  Cut before(0);
  for (int merge = 1; merge <= 4; ++merge) {
    const Cut after(merge);
    std::vector<double> numbers{before.pieces -
                                after.pieces};  // a merge makes one piece less wherever the pair occurs
    numbers.insert(numbers.end(), after.bytes.begin(), after.bytes.end());
    plain.agrees("merge_" + std::to_string(merge), numbers);
    before = after;
  }

  const double alpha = plain.input("alpha")[0];
  const std::vector<std::string> vocabulary{"", "der", "ein", "Hund", "Mann"};
  for (const std::size_t K : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    const NBest found = search(K, alpha, plain.input("next"));
    CHECK(found.size() == K);
    for (const Translation& t : found) {
      std::string name = "beams_" + std::to_string(K);
      for (const std::int32_t id : t.words) name += "_" + vocabulary[static_cast<std::size_t>(id - Specials{}.eos)];
      plain.agrees(name, {t.log_prob, t.score, std::exp(t.log_prob)});
    }
  }

  const std::vector<std::string> translations{"ein Hund läuft da drüben schnell weg", "die die Katze Katze"};
  const std::vector<std::string> references{"ein Hund läuft hier drüben schnell fort",
                                            "die Katze schläft auf dem Sofa"};
  const BleuScore bleu = corpus_bleu({translations[0]}, {references[0]});
  plain.agrees("bleu_of_both", {corpus_bleu(translations, references).score});
  plain.agrees("bleu", {bleu.score});
  std::vector<double> shares;
  for (const double per_cent : bleu.precisions) shares.push_back(per_cent / 100);
  plain.agrees("precisions", shares);
  plain.all_were_used();
}
