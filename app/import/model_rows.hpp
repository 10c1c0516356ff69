#pragma once
/// \file
/// Tables of another program's model in the order of our ids.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gradus/tensor/view.hpp"

namespace gradus {

/// In a list of the file's ids by ours: one of our words that the file's model does not have.
constexpr std::size_t no_row = static_cast<std::size_t>(-1);

/// The output bias of such a word: e^-1000 is 0 in float and in double.
constexpr double impossible = -1000;

/// Row `id` of `to` is row rows[id] of `from`, or 0 if there is none.
template <class Dev>
void rows_of_table(Out<Dev, 2> to, const std::vector<typename Dev::Real>& from,
                   const std::vector<std::size_t>& rows) {
  const std::size_t D = to.extent[1];
  for (std::size_t id = 0; id < rows.size(); ++id) {
    if (rows[id] == no_row) {
      std::fill_n(to.row(id), D, typename Dev::Real(0));
    } else {
      std::copy_n(from.data() + rows[id] * D, D, to.row(id));
    }
  }
}

/// The same for the biases of the output; a word that the file does not have is impossible.
template <class Dev>
void words_of_bias(Out<Dev, 1> to, const std::vector<typename Dev::Real>& from,
                   const std::vector<std::size_t>& rows) {
  for (std::size_t id = 0; id < rows.size(); ++id)
    to[id] = rows[id] == no_row ? typename Dev::Real(impossible) : from[rows[id]];
}

}  // namespace gradus
