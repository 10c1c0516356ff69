#include "gradus/tensor/segments.hpp"

#include <algorithm>

namespace gradus {

SegmentTable SegmentTable::packed(const std::vector<std::int32_t>& lengths) {
  SegmentTable table;
  table.length = lengths;
  for (const std::int32_t n : lengths) {
    table.begin.push_back(static_cast<std::int32_t>(table.rows));
    table.rows += static_cast<std::size_t>(n);
    table.longest = std::max(table.longest, static_cast<std::size_t>(n));
  }
  return table;
}

}  // namespace gradus
