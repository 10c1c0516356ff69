#pragma once

#include <algorithm>
#include <vector>

#include "gradus/tensor/segments.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus::test {

/// A batch: sentences packed from row 0, then spare rows.
struct Sentences {
  std::vector<std::int32_t> lengths;
  std::size_t spare = 0;

  SegmentTable table() const {
    SegmentTable t = SegmentTable::packed(lengths);
    t.rows += spare;
    return t;
  }
  std::size_t used() const { return table().rows - spare; }

  /// Exactly the positions that the sentences use, so that a table that is one row too short is detected.
  std::size_t positions(const std::vector<std::int32_t>& first) const {
    std::int32_t n = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (lengths[i] > 0) n = std::max(n, lengths[i] + (first.empty() ? 0 : first[i]));
    }
    return static_cast<std::size_t>(n);
  }
};

}  // namespace gradus::test
