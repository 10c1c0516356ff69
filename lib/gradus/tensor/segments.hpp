#pragma once
/// \file
/// A batch is rows plus offsets: they say which rows of a matrix belong to which sentence.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gradus/tensor/view.hpp"

namespace gradus {

/// Sentence i owns the rows begin[i] .. begin[i] + length[i] - 1 of every matrix of the batch. There is no padding.
///
///     begin  = 0, 3        rows 0 1 2 | 3 4 5 6 7 | 8 9
///     length = 3, 5             first    second    spare (no sentence)
///
/// The vectors are in device memory. The host knows the capacities, and launch sizes depend on the capacities
/// alone.
template <class Space>
struct BasicSegments {
  View<const std::int32_t, 1, Space> begin, length;  ///< (B)
  std::size_t rows = 0;                              ///< rows of the batch's matrices, spare rows included
  std::size_t longest = 0;                           ///< no sentence has more rows than this

  constexpr std::size_t sentences() const { return begin.extent[0]; }
};
template <class Dev>
using Segments = BasicSegments<typename Dev::Space>;

/// Calls `f` with each view of a struct. With it the host layer of the kernels checks what a launch is given.
template <class Space, class F>
void each_view(const BasicSegments<Space>& s, F&& f) {
  f(s.begin), f(s.length);
}

/// The rows of a batch, and which of them belong to which sentence.
template <class Real, class Space>
struct BasicSequences {
  View<const Real, 2, Space> rows;  ///< (N, D), N = segments.rows
  BasicSegments<Space> segments;
};
template <class Dev>
using Sequences = BasicSequences<typename Dev::Real, typename Dev::Space>;

/// Owns a batch's offsets, in host memory.
struct SegmentTable {
  std::vector<std::int32_t> begin, length;
  std::size_t rows = 0, longest = 0;

  /// Sentences of these lengths, packed from row 0 in this order.
  static SegmentTable packed(const std::vector<std::int32_t>& lengths) {
    SegmentTable table;
    table.length = lengths;
    for (const std::int32_t n : lengths) {
      table.begin.push_back(static_cast<std::int32_t>(table.rows));
      table.rows += static_cast<std::size_t>(n);
      table.longest = std::max(table.longest, static_cast<std::size_t>(n));
    }
    return table;
  }

  BasicSegments<Host> view() const {
    return {{begin.data(), {begin.size()}, begin.size()},
            {length.data(), {length.size()}, length.size()},
            rows,
            longest};
  }
};

}  // namespace gradus
