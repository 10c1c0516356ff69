#include "app/options/suggestion.hpp"

#include "support/catch.hpp"

using gradus::did_you_mean;
using gradus::nearest;

TEST_CASE("suggestion: the nearest name, for one typing mistake of each kind") {
  const std::vector<std::string> names = {"--d-model", "--heads", "--warmup", "--batch-tokens",
                                          "--batch-sentences"};
  CHECK(nearest("--d-modle", names) == "--d-model");  // swapped
  CHECK(nearest("--d-mdel", names) == "--d-model");   // missing
  CHECK(nearest("--headss", names) == "--heads");     // one more
  CHECK(nearest("--wormup", names) == "--warmup");    // another
  CHECK(nearest("--batch-sent", names) == "--batch-sentences");
  CHECK(nearest("--batch", names) == "--batch-tokens");  // the first of several
  CHECK(nearest("--warmup", names) == "--warmup");
}

TEST_CASE("suggestion: none if no name is near") {
  const std::vector<std::string> names = {"--d-model", "--heads", "train"};
  for (const char* word : {"", "-", "--", "-x", "--x", "--colour", "spain", "--no-such-option"})
    CHECK(nearest(word, names).empty());
  CHECK(nearest(std::string(100000, 'x'), names).empty());
  CHECK(nearest("train", {}).empty());
  CHECK(did_you_mean("--heds", names) == "; did you mean --heads?");
  CHECK(did_you_mean("--colour", names).empty());
}
