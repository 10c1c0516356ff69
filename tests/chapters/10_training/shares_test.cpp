#include "10_training/step/shares.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;

namespace {

using Sums = std::vector<std::string>;

/// Slots with the names of what they hold, so that the order of all additions can be read.
Sums named_slots(std::size_t slots) {
  Sums names;
  for (std::size_t i = 0; i < slots; ++i) names.push_back(std::to_string(i));
  return names;
}

void carry_out(Sums& slots, const std::vector<Addition>& additions) {
  for (const Addition& a : additions) {
    slots[a.to] = "(" + slots[a.to] + "+" + slots[a.from] + ")";
    slots[a.from] = "?";  // must not be used again
  }
}

/// The sum over all slots as `ranks` ranks compute it.
std::string sum_of(std::size_t ranks, std::size_t slots) {
  Sums sums = named_slots(slots);
  for (std::size_t r = 0; r < ranks; ++r) carry_out(sums, own_additions(slots_of(r, ranks, slots), slots));
  carry_out(sums, joining_additions(ranks, slots));
  return sums.front();
}

}  // namespace

TEST_CASE("shares: the sum is the same tree for every number of ranks") {
  CHECK(sum_of(1, 1) == "0");
  CHECK(sum_of(1, 2) == "(0+1)");
  CHECK(sum_of(1, 3) == "((0+1)+2)");
  CHECK(sum_of(1, 6) == "(((0+1)+(2+3))+(4+5))");
  CHECK(sum_of(1, 8) == "(((0+1)+(2+3))+((4+5)+(6+7)))");
  for (std::size_t slots = 1; slots <= 17; ++slots) {
    for (std::size_t ranks = 1; ranks <= slots; ++ranks) CHECK(sum_of(ranks, slots) == sum_of(1, slots));
  }
}

TEST_CASE("shares: a rank sends one sum where ranks divide the slots, and else few") {
  for (const std::size_t ranks : {1, 2, 4, 8}) {
    for (std::size_t r = 0; r < ranks; ++r) CHECK(open_nodes(slots_of(r, ranks, 8), 8).size() == 1);
  }
  CHECK(open_nodes({2, 5}, 8) == std::vector<std::size_t>{2, 4});
  CHECK(open_nodes({5, 8}, 8) == std::vector<std::size_t>{5, 6});
  CHECK(open_nodes({4, 6}, 6) == std::vector<std::size_t>{4});  // at the end, a smaller node is whole
}

TEST_CASE("shares: every slot and every parameter belongs to one rank, in order") {
  for (const std::size_t slots : {1, 3, 8}) {
    for (std::size_t ranks = 1; ranks <= slots; ++ranks) {
      for (const std::size_t size : {5, 100, 12345}) {
        std::size_t slot = 0, parameter = 0;
        for (std::size_t r = 0; r < ranks; ++r) {
          const Interval own = slots_of(r, ranks, slots), range = ranges_of(own, slots, size);
          CHECK((own.begin == slot && own.size() > 0 && range.begin == parameter));
          slot = own.end, parameter = range.end;
          for (std::size_t i = own.begin; i < own.end; ++i) {
            const Interval part = range_of(i, slots, size);
            CHECK((range.begin <= part.begin && part.end <= range.end));
          }
        }
        CHECK((slot == slots && parameter == size));
      }
    }
  }
}

TEST_CASE("shares: more ranks than slots are refused in one line") {
  CHECK_THROWS_WITH(slots_of(0, 9, 8), "9 ranks cannot share the 8 micro-batches of a step; start at most 8");
}
