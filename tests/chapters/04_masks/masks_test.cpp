#include "chapters/04_masks/dense_case.hpp"
#include "chapters/04_masks/mask_of.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("masks: the values of their elements", "", Reference<double>, Cpu<double>, Cpu<float>) {
  SECTION("padding hides the same columns for every query") {
    CHECK(mask_of<TestType>({5, 6, 0, 8, 0, 0}, 0, 2, 2, 3, false) == Rows{1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0});
  }
  SECTION("the padding id is what the caller says, and a word may have any other") {
    CHECK(mask_of<TestType>({0, 1, 9}, 9, 1, 1, 3, false) == Rows{1, 1, 0});
    CHECK(mask_of<TestType>({0, 1, 9}, 1, 1, 1, 3, false) == Rows{1, 0, 1});
  }
  SECTION("causal is a lower triangle, the diagonal included") {
    CHECK(mask_of<TestType>({5, 5, 5}, 0, 1, 3, 3, true) == Rows{1, 0, 0, 1, 1, 0, 1, 1, 1});
  }
  SECTION("causal is aligned at the end") {
    CHECK(mask_of<TestType>({5, 5, 5}, 0, 1, 2, 3, true) == Rows{1, 1, 0, 1, 1, 1});
    CHECK(mask_of<TestType>({5, 5}, 0, 1, 3, 2, true) == Rows{0, 0, 1, 0, 1, 1});
  }
  SECTION("both: a word is seen if neither hides it") {
    CHECK(mask_of<TestType>({0, 5, 6}, 0, 1, 3, 3, true) == Rows{0, 0, 0, 0, 1, 0, 0, 1, 1});
  }
  SECTION("without an inner mask everything in the past is allowed") {
    TestType dev;
    Rows memory(4, 7);
    const OutInts<TestType, 3> mask{memory.data(), {1, 2, 2}, 2};
    causal_mask(dev, mask, Ints<TestType, 3>{});
    CHECK(memory == Rows{1, 0, 1, 1});
  }
  SECTION("empty batches and tables are legal") {
    CHECK(mask_of<TestType>({}, 0, 0, 3, 2, true).empty());
    CHECK(mask_of<TestType>({1, 2}, 0, 1, 0, 2, true).empty());
    CHECK(mask_of<TestType>({}, 0, 1, 2, 0, true).empty());
  }
  SECTION("shapes that do not fit throw") {
    TestType dev;
    Rows memory(12, 0), ids(6, 0);
    const OutInts<TestType, 3> mask{memory.data(), {2, 2, 3}, 3}, other{memory.data(), {2, 3, 2}, 2};
    CHECK_THROWS_AS(padding_mask(dev, mask, Ints<TestType, 2>{ids.data(), {3, 2}, 2}, 0), Error);
    CHECK_THROWS_AS(causal_mask(dev, mask, other), Error);
  }
}

TEST_CASE("masks: a large table is the same on both devices") {
  const Padded keys{{33, 1, 0, 1025}, true};
  const Rows ids = keys.ids(3);
  CHECK(mask_of<Reference<double>>(ids, 3, 4, 5, 1025, true) == mask_of<Cpu<double>>(ids, 3, 4, 5, 1025, true));
}
