#include "gradus/util/ends_with.hpp"

#include "support/catch.hpp"

using namespace gradus;

TEST_CASE("ends_with: the last bytes, all of them and no others") {
  CHECK(ends_with("map.svg", ".svg"));
  CHECK(ends_with(".svg", ".svg"));
  CHECK(ends_with("map.svg", ""));
  CHECK_FALSE(ends_with("svg", ".svg"));
  CHECK_FALSE(ends_with("map.svg.html", ".svg"));
  CHECK_FALSE(ends_with("map.SVG", ".svg"));
}
