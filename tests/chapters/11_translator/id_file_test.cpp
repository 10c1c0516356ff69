#include "11_translator/data/id_file.hpp"

#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;

namespace {

const IdCorpus corpus{9, 7, {{"train", {{{5, 4}, {8}}, {{6}, {4, 4, 6}}}}, {"val", {{{4}}, {{5}}}}}};
const std::string text = "gradus ids 1\nvocabulary 9 7\n[train]\n5 4\t6\n8\t4 4 6\n[val]\n4\t5\n";

/// The message for a text without the right form.
std::string refusal(const std::string& bad) {
  try {
    id_corpus(bad, "FILE");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("ids: a corpus is written and read") {
  CHECK(to_text(corpus) == text);
  const IdCorpus read = id_corpus(text, "FILE");
  CHECK(read.source_vocab == 9);
  CHECK(read.target_vocab == 7);
  CHECK(read.parts.size() == 2);
  CHECK(read.parts.at("train").source == corpus.parts.at("train").source);
  CHECK(read.parts.at("train").target == corpus.parts.at("train").target);
  CHECK(read.parts.at("val").source == corpus.parts.at("val").source);
}

TEST_CASE("ids: an empty side is a sentence without words") {
  const IdCorpus read = id_corpus("gradus ids 1\nvocabulary 9 7\n[test]\n\t5\n", "FILE");
  CHECK(read.parts.at("test").source == std::vector<std::vector<std::int32_t>>{{}});
}

TEST_CASE("ids: another file is refused, with the number of the line") {
  CHECK(refusal("") == "FILE is no file of ids");
  CHECK(refusal("5 4\t6\n") == "FILE is no file of ids");
  CHECK(refusal("gradus ids 1\n[train]\n") == "FILE:2: the sizes of the vocabularies are missing");
  CHECK(refusal("gradus ids 1\nvocabulary 9 7\n5\t6\n") ==
        "FILE:3: expected a pair of sentences with a tab between them");
  CHECK(refusal("gradus ids 1\nvocabulary 9 7\n[train]\n5 6\n") ==
        "FILE:4: expected a pair of sentences with a tab between them");
  for (const std::string line : {"9\t1", "1\t7", "-1\t1", "1 x\t1", "99999999999999999999\t1"}) {
    CHECK(refusal("gradus ids 1\nvocabulary 9 7\n[train]\n" + line + "\n") ==
          "FILE:4: expected ids of the vocabulary, with spaces between them");
  }
}
