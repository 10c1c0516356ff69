// Sentences of a training that are copies, and pairs that stand there again.

#include "chapters/11_translator/toy_texts.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE(
    "text sides: sentences that are their own translations are warned of, in the training or in the validation") {
  const Playground place("copies");
  const std::string en = toy_texts + "train.en", de = toy_texts + "train.de", valid_en = toy_texts + "valid.en";
  const auto found = [&](const std::string& target, const std::string& valid_target) {
    return lines_with(messages_of(place, sides_of("train", en, target) + sides_of("valid", valid_en, valid_target)),
                      "the same as their targets");
  };
  CHECK(found(de, toy_texts + "valid.de").empty());
  const std::string train = found(en, valid_en), valid = found(de, valid_en);
  CHECK(lines_in(train) == 1);
  CHECK_THAT(train,
             gradus::test::contains("training sources are the same") && gradus::test::contains("learns to copy"));
  CHECK(lines_in(valid) == 1);
  CHECK_THAT(valid, gradus::test::contains("validation sources are the same"));
}

TEST_CASE("text sides: a sixth of the training that is copied, and pairs that stand there again, are counted") {
  const Playground place("repeats");
  const auto said = [&](const std::string& pairs) {
    return messages_of(place, "--train " + place.write("pairs.tsv", pairs) + " --valid " +
                                  place.write("valid.tsv", toy_pairs("valid")) + " ");
  };
  std::string different, copied;
  for (int i = 0; i < 30; ++i) {
    const std::string number = std::to_string(i);
    different += "a dog " + number + "\tein Hund " + number + "\n";
    if (i < 6) copied += "a cat " + number + "\ta cat " + number + "\n";
  }
  CHECK_THAT(said(different + copied), contains("6 of 36 training sources are the same as their targets"));
  CHECK(lines_with(said(different + copied.substr(0, copied.size() / 2)), "the same as their targets").empty());
  CHECK(lines_with(said(different + different), "stand earlier").empty());
  CHECK_THAT(said(different + different + different),
             contains("60 of 90 training pairs stand earlier in the text, too"));
}
