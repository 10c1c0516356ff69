#include "11_translator/program/terminal/status_line.hpp"

#include "support/catch.hpp"

using namespace gradus;

namespace {

const std::vector<StatusField> fields{
    {"step 12/345", 0}, {"epoch 6", 2}, {"7:08 left", 1}};  // 11 + 2 + 7 + 2 + 9 = 31 cells

std::vector<std::size_t> bars(std::size_t from, std::size_t to) {
  std::vector<std::size_t> found;
  for (std::size_t room = from; room <= to; ++room) found.push_back(fitted(fields, room).bar);
  return found;
}

}  // namespace

TEST_CASE("status line: the bar shrinks, then fields go in their order, then the bar, then all") {
  const std::string all = "step 12/345  epoch 6  7:08 left", two = "step 12/345  7:08 left", one = "step 12/345";
  for (std::size_t room = 38; room < 60; ++room) CHECK(fitted(fields, room).text == all);
  for (std::size_t room = 29; room < 38; ++room) CHECK(fitted(fields, room).text == two);
  for (std::size_t room = 11; room < 29; ++room) CHECK(fitted(fields, room).text == one);
  for (std::size_t room = 0; room < 11; ++room) CHECK(fitted(fields, room).text.empty());
  CHECK(bars(51, 54) == std::vector<std::size_t>{19, 20, 20, 20});
  CHECK(bars(37, 39) == std::vector<std::size_t>{14, 6, 7});
  CHECK(bars(28, 30) == std::vector<std::size_t>{16, 6, 7});
  CHECK(bars(16, 19) == std::vector<std::size_t>{0, 0, 6, 7});
}

TEST_CASE("status line: it is never wider than its room") {
  for (std::size_t room = 0; room < 100; ++room) {
    CHECK(fitted(fields, room).cells() <= room);
    CHECK(fitted({}, room).cells() <= room);
  }
}
