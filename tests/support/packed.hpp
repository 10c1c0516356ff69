#pragma once
/// \file
/// Matrices side by side in one, as the library packs the maps of queries, keys and values.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gradus/tensor/view.hpp"

namespace gradus::test {

/// [a | b | ...]: matrices of the same number of rows.
inline std::vector<double> side_by_side(const std::vector<std::vector<double>>& parts, std::size_t rows) {
  std::vector<double> packed;
  for (std::size_t n = 0; n < rows; ++n) {
    for (const std::vector<double>& part : parts) {
      const std::size_t columns = part.size() / rows;
      for (std::size_t j = 0; j < columns; ++j) packed.push_back(part[n * columns + j]);
    }
  }
  return packed;
}

/// The elements of a view, row after row.
template <class T>
std::vector<double> elements(View<T, 2, Host> x) {
  std::vector<double> values;
  for (std::size_t n = 0; n < x.extent[0]; ++n) values.insert(values.end(), x.row(n), x.row(n) + x.extent[1]);
  return values;
}

/// Every `step`-th row from `first` on: the attention weights of one head.
template <class T>
std::vector<double> every_row(View<T, 2, Host> x, std::size_t first, std::size_t step) {
  std::vector<double> values;
  for (std::size_t n = first; n < x.extent[0]; n += step) {
    values.insert(values.end(), x.row(n), x.row(n) + x.extent[1]);
  }
  return values;
}

/// `count` columns of a matrix with `columns` columns, from column `first` on.
inline std::vector<double> part_of(const std::vector<double>& packed, std::size_t columns, std::size_t first,
                                   std::size_t count) {
  std::vector<double> part;
  for (std::size_t at = first; at < packed.size(); at += columns) {
    for (std::size_t j = 0; j < count; ++j) part.push_back(packed[at + j]);
  }
  return part;
}

}  // namespace gradus::test
