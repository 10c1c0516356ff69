#include "gradus/ops/cpu/transpose_cpu.hpp"

#include "lib/ops/owned.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("transpose: each element is at its place, whatever the sizes, and nothing else is written", "",
                   float, double) {
  for (const std::size_t rows : {0, 1, 3, 4, 7, 8, 15, 16, 17, 23, 40}) {
    for (const std::size_t columns : {0, 1, 5, 8, 9, 16, 31, 33}) {
      auto x = Owned<TestType>::normal(rows, columns, 3, 1);
      Owned<TestType> y(columns, rows, 2);
      transpose(y.view().data, y.stride, x.view().data, x.stride, rows, columns);
      INFO(rows << " rows, " << columns << " columns");
      bool same = true;
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) same = same && y.view().row(c)[r] == x.view().row(r)[c];
      }
      CHECK(same);
      CHECK(y.gaps_untouched());
    }
  }
}

TEMPLATE_TEST_CASE(
    "transpose of whole registers: as a plain one, with zeros in the last register of a row, and no row more", "",
    float, double) {
  constexpr std::size_t width = vector_width<TestType>;
  const auto whole = [](std::size_t n) { return (n + width - 1) / width * width; };
  for (const std::size_t rows : {0, 1, 7, 8, 15, 16, 17, 33}) {
    for (const std::size_t columns : {0, 1, 8, 13, 16, 31, 32}) {
      auto x = Owned<TestType>::normal(rows, whole(columns), 3, 1);
      Owned<TestType> y(columns, whole(rows), 2);
      transpose_registers(y.view().data, y.stride, x.view().data, x.stride, rows, columns);
      INFO(rows << " rows, " << columns << " columns");
      bool same = true;
      for (std::size_t r = 0; r < whole(rows); ++r) {
        for (std::size_t c = 0; c < columns; ++c)
          same = same && y.view().row(c)[r] == (r < rows ? x.view().row(r)[c] : TestType(0));
      }
      CHECK(same);
      CHECK(y.gaps_untouched());
    }
  }
}
