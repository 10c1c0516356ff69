#include "gradus/util/plural.hpp"

#include "support/catch.hpp"

using gradus::plural;

TEST_CASE("plural: one thing has the singular, none and several have the plural") {
  CHECK(plural(0, "line") == "0 lines");
  CHECK(plural(1, "line") == "1 line");
  CHECK(plural(2, "line") == "2 lines");
  CHECK(plural(11, "line") == "11 lines");
}
