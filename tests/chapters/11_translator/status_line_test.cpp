#include "11_translator/program/terminal/status_line.hpp"

#include "support/catch.hpp"

using namespace gradus;

namespace {

const std::vector<StatusField> fields{
    {"step 12/345", 0}, {"epoch 6", 2}, {"7:08 left", 1}};  // 11 + 2 + 7 + 2 + 9 = 31 cells

std::vector<std::size_t> bars(std::size_t from, std::size_t to) {
  std::vector<std::size_t> found;
  for (std::size_t columns = from; columns <= to; ++columns) found.push_back(fitted(fields, columns).bar);
  return found;
}

std::size_t cells(const StatusLine& line) {
  return line.bar == 0 ? line.text.size() : line.bar + 1 + line.text.size();
}

}  // namespace

TEST_CASE("status line: the bar shrinks, then fields go in their order, then the bar, then all") {
  const std::string all = "step 12/345  epoch 6  7:08 left", two = "step 12/345  7:08 left", one = "step 12/345";
  for (std::size_t columns = 38; columns < 60; ++columns) CHECK(fitted(fields, columns).text == all);
  for (std::size_t columns = 29; columns < 38; ++columns) CHECK(fitted(fields, columns).text == two);
  for (std::size_t columns = 11; columns < 29; ++columns) CHECK(fitted(fields, columns).text == one);
  for (std::size_t columns = 0; columns < 11; ++columns) CHECK(fitted(fields, columns).text.empty());
  CHECK(bars(51, 54) == std::vector<std::size_t>{19, 20, 20, 20});
  CHECK(bars(37, 39) == std::vector<std::size_t>{14, 6, 7});
  CHECK(bars(28, 30) == std::vector<std::size_t>{16, 6, 7});
  CHECK(bars(16, 19) == std::vector<std::size_t>{0, 0, 6, 7});
}

TEST_CASE("status line: it never has more cells than the given columns") {
  for (std::size_t columns = 0; columns < 100; ++columns) {
    CHECK(cells(fitted(fields, columns)) <= columns);
    CHECK(cells(fitted({}, columns)) <= columns);
  }
}
