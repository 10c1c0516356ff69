#include "gradus/ops/transpose_cpu.hpp"

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
