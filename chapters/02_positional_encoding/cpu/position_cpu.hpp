#pragma once
/// \file
/// The position of each row of a batch, for loops over rows.

#include <algorithm>
#include <cstdint>

#include "02_positional_encoding/position.hpp"

namespace gradus {

/// (N): the row of the position table for row n, -1 if n belongs to no sentence. Scratch memory.
template <class Real>
View<std::int32_t, 1, Host> row_positions(Cpu<Real>& dev, const BasicSegments<Host>& sentences,
                                          View<const std::int32_t, 1, Host> first) {
  const View<std::int32_t, 1, Host> position = dev.scratch.ints(sentences.rows);
  std::fill_n(position.data, sentences.rows, -1);
  for (std::size_t i = 0; i < sentences.sentences(); ++i) {
    std::int32_t* const of_sentence = position.data + sentences.begin[i];
    const auto start = static_cast<std::int32_t>(first_position(first, i));
    for (std::int32_t j = 0; j < sentences.length[i]; ++j) of_sentence[j] = start + j;
  }
  return position;
}

}  // namespace gradus
