#include <malloc.h>

#include <vector>

#include "gradus/util/process.hpp"
#include "support/catch.hpp"

using namespace gradus;

// 30 MB: less than the size above which glibc always maps a block, and more than other tests leave in one piece.
TEST_CASE("large blocks go back to the system: none stays with the allocator for a smaller one", "[memory]") {
  return_large_blocks();
  std::vector<char> first(std::size_t{30} << 20U);
  std::vector<char>().swap(first);
  const std::size_t before = mallinfo2().hblks;  // blocks that are mapped one by one
  const std::vector<char> smaller(std::size_t{25} << 20U);
  CHECK(mallinfo2().hblks == before + 1);
}
