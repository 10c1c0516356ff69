#include "gradus/ops/cpu/register_tile_cpu.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"

using namespace gradus;

namespace {

template <int most>
std::vector<std::size_t> sizes_of_tiles(std::size_t rows) {
  std::vector<std::size_t> sizes;
  std::size_t next = 0;
  each_row_tile<most>(rows, [&](std::size_t first, auto count) {
    CHECK(first == next);
    sizes.push_back(decltype(count)::value);
    next += sizes.back();
  });
  CHECK(next == rows);
  return sizes;
}

}  // namespace

TEST_CASE("row tiles: whole tiles, then two that are nearly equal, together all rows") {
  using Sizes = std::vector<std::size_t>;
  CHECK(sizes_of_tiles<6>(0).empty());
  CHECK(sizes_of_tiles<6>(1) == Sizes{1});
  CHECK(sizes_of_tiles<6>(6) == Sizes{6});
  CHECK(sizes_of_tiles<6>(7) == Sizes{4, 3});
  CHECK(sizes_of_tiles<6>(11) == Sizes{6, 5});
  CHECK(sizes_of_tiles<6>(12) == Sizes{6, 6});
  CHECK(sizes_of_tiles<6>(13) == Sizes{6, 4, 3});
  CHECK(sizes_of_tiles<1>(3) == Sizes{1, 1, 1});
  for (std::size_t rows = 2; rows < 60; ++rows) {
    for (const Sizes& sizes : {sizes_of_tiles<6>(rows), sizes_of_tiles<12>(rows)})
      CHECK(*std::min_element(sizes.begin(), sizes.end()) > 1);
  }
}
