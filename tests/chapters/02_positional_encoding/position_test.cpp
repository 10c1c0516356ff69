#include "chapters/02_positional_encoding/position_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// y = x + position on a batch of width 2, where x is 0 and row p of the table is p, p.
template <class Dev>
std::vector<double> placed(const SegmentTable& table, std::vector<std::int32_t> first, std::size_t positions) {
  Dev dev;
  std::vector<double> y(table.rows * 2, 0), places(positions * 2);
  for (std::size_t p = 0; p < positions; ++p) places[2 * p] = places[2 * p + 1] = static_cast<double>(p);
  const Out<Dev, 2> view{y.data(), {table.rows, 2}, 2};
  position_forward(dev, view, view, table.view(), {first.empty() ? nullptr : first.data(), {first.size()}, 1},
                   {places.data(), {positions, 2}, 2});
  return y;
}

}  // namespace

TEST_CASE("position: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(PositionCase{})));
}

TEST_CASE("position: every device agrees with the reference and keeps the contract") {
  for (const PositionCase& c : {PositionCase{}, PositionCase{{{1}, 0}, {}, 1}, PositionCase{{{33, 1}, 3}, {}, 33},
                                PositionCase{{{2, 1025}, 0}, {7, 1}, 2}, PositionCase{{{2}, 1}, {3}, 1025}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("position: golden values") { expect(golden(component(PositionCase{}), "position")); }

TEMPLATE_TEST_CASE("position: each sentence begins anew, or where first says", "", Cpu<double>, Reference<double>) {
  using Values = std::vector<double>;
  const SegmentTable two = Sentences{{3, 2}, 1}.table();
  CHECK(placed<TestType>(two, {}, 3) == Values{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 0, 0});
  CHECK(placed<TestType>(two, {4, 0}, 7) == Values{4, 4, 5, 5, 6, 6, 0, 0, 1, 1, 0, 0});
}

TEMPLATE_TEST_CASE("position: sentences may stand in any order, with gaps", "", Cpu<double>, Reference<double>) {
  SegmentTable table;
  table.begin = {4, 0};
  table.length = {2, 3};
  table.rows = 6;
  table.longest = 3;
  CHECK(placed<TestType>(table, {}, 3) == std::vector<double>{0, 0, 1, 1, 2, 2, 0, 0, 0, 0, 1, 1});
}

TEMPLATE_TEST_CASE("position: no sentences and no rows are no error", "", Cpu<double>, Reference<double>) {
  CHECK(placed<TestType>(Sentences{{}, 2}.table(), {}, 3) == std::vector<double>(4, 0.0));
  CHECK(placed<TestType>(Sentences{{}, 0}.table(), {}, 0).empty());
  CHECK(placed<TestType>(Sentences{{0, 0}, 0}.table(), {9, 9}, 1).empty());
}

TEMPLATE_TEST_CASE("position: what reaches beyond the table or the batch is an error with both numbers", "",
                   Cpu<double>, Reference<double>) {
  const SegmentTable two = Sentences{{3, 2}, 0}.table();
  CHECK_THROWS_WITH(placed<TestType>(two, {}, 2), contains("sentence 0 reaches position 2") && contains("holds 2"));
  CHECK_THROWS_WITH(placed<TestType>(two, {0, 62}, 63),
                    contains("sentence 1 reaches position 63") && contains("holds 63"));
  CHECK_NOTHROW(placed<TestType>(two, {0, 61}, 63));
  CHECK_THROWS_WITH(placed<TestType>(two, {0, -1}, 9), contains("sentence 1 reaches position -1"));
  CHECK_THROWS_WITH(placed<TestType>(two, {0}, 9), contains("first"));

  SegmentTable outside = two;
  outside.begin[1] = 4;
  CHECK_THROWS_WITH(placed<TestType>(outside, {}, 9), contains("sentence 1 has 2 rows from row 4 of 5"));
  outside.begin[1] = -1;
  CHECK_THROWS_AS(placed<TestType>(outside, {}, 9), Error);
}
