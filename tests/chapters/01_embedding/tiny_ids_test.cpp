#include <fstream>

#include "00_foundations/tiny.hpp"
#include "01_embedding/vocabulary.hpp"
#include "support/catch.hpp"

using namespace gradus;

TEST_CASE("the tiny example's words are numbered as the vocabulary learns them from its six sentence pairs") {
  std::ifstream file(GRADUS_GOLDEN "/../../chapters/10_training/data/six_sentences.tsv");
  REQUIRE(file.good());
  std::vector<std::string> english, german;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    english.push_back(line.substr(0, tab));
    german.push_back(line.substr(tab + 1));
  }
  REQUIRE(english.size() == 6);

  const auto check = [](const Vocabulary& learnt, const std::vector<std::string>& words) {
    REQUIRE(learnt.size() == static_cast<int>(words.size()));
    for (int id = 0; id < learnt.size(); ++id) CHECK(learnt.word(id) == words[static_cast<std::size_t>(id)]);
  };
  const Vocabulary source = Vocabulary::learn(english), target = Vocabulary::learn(german);
  check(source, tiny::english());
  check(target, tiny::german());

  using Ids = std::vector<std::int32_t>;
  Ids input = source.encode("the cat sleeps"), output = target.encode("die Katze schläft");
  output.push_back(target.specials().eos);
  input.push_back(source.specials().eos);
  CHECK(tiny::source_ids() == input);
  CHECK(tiny::target_ids() == output);
  output.pop_back();
  output.insert(output.begin(), target.specials().bos);
  CHECK(tiny::decoder_input_ids() == output);
}
