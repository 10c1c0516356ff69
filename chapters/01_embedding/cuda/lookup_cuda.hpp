#pragma once
/// \file
/// A row that may be missing, for kernels: a word's vector in lookup and embed, a position's encoding in position
/// and embed.

#include <cstdint>
#include <limits>

#include "01_embedding/lookup.hpp"
#include "gradus/kernels/quad.hpp"

namespace gradus {

/// Column d of a row of a table, or the same number in every column.
template <class Real>
struct KernelRow {
  const Real* row;
  Real otherwise;
  __device__ Real operator[](std::size_t d) const { return row != nullptr ? row[d] : otherwise; }
  /// Columns first .. first + 3 of n.
  __device__ gpu::Quad<Real> quad(std::size_t first, std::size_t n) const {
    if (row != nullptr) return gpu::load_quad(row, first, n);
    return {otherwise, otherwise, otherwise, otherwise};
  }
};

/// Row `number` of the table. A kernel cannot throw: if the table has no such row, the row is NaN, so that every
/// result that depends on it shows the error.
template <class Real>
__device__ KernelRow<Real> row_or_nan(View<const Real, 2, Gpu> table, std::int32_t number) {
  const bool is_row = number >= 0 && static_cast<std::size_t>(number) < table.extent[0];
  return {is_row ? table.row(static_cast<std::size_t>(number)) : nullptr, std::numeric_limits<Real>::quiet_NaN()};
}

/// The vector of a word: zeros for the padding id.
template <class Real>
__device__ KernelRow<Real> word_row(View<const Real, 2, Gpu> table, std::int32_t id, std::int32_t padding) {
  const KernelRow<Real> word = row_or_nan(table, id);
  return word.row != nullptr && id == padding ? KernelRow<Real>{nullptr, 0} : word;
}

}  // namespace gradus
