#include <algorithm>
#include <set>

#include "01_embedding/vocabulary.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;

namespace {

std::vector<std::string> lines_of(const std::string& path) { return read_lines(GRADUS_CHAPTERS "/" + path); }

}  // namespace

TEST_CASE("the toy corpus asks for new sentences of known words, in both languages") {
  for (const std::string language : {"en", "de"}) {
    const std::string toy = "11_translator/toy/";
    const std::vector<std::string> train = lines_of(toy + "train." + language);
    CHECK(train.size() == 400);
    std::set<std::string> seen(train.begin(), train.end());
    CHECK(seen.size() == 400);

    const Vocabulary vocabulary = Vocabulary::learn(train);
    CHECK(vocabulary.size() == 4 + (language == "en" ? 202 : 219));  // as its README says
    for (const std::string name : {"valid.", "test."}) {
      const std::vector<std::string> held_out = lines_of(toy + name + language);
      CHECK(held_out.size() == 40);
      for (const std::string& sentence : held_out) {
        CHECK(seen.insert(sentence).second);
        CHECK(vocabulary.decode(vocabulary.encode(sentence)) == sentence);
      }
    }
  }
}

TEST_CASE("six short pairs are there to be learnt by heart, the one of the demos first") {
  const std::vector<std::string> pairs = lines_of("10_training/data/six_sentences.tsv");
  CHECK(pairs.size() == 6);
  CHECK(pairs.front() == "the cat sleeps\tdie Katze schläft");
  for (const std::string& pair : pairs) CHECK(std::count(pair.begin(), pair.end(), '\t') == 1);
}
