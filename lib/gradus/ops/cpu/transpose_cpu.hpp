#pragma once
/// \file
/// The transposed of a matrix, as a copy.

#include <utility>

#include "gradus/ops/cpu/vector_cpu.hpp"

namespace gradus {

/// For a square whose rows are in registers, as many as a register has elements: exchanges, in each of its squares of 2 `size` rows
/// and columns, the quarter at the upper right and the quarter at the lower left. After all sizes the square is transposed.
template <class Real, std::size_t size, std::size_t... j>
void exchange_quarters(Vector<Real>* row, std::index_sequence<j...> columns) {
  constexpr std::size_t width = vector_width<Real>;
  for (std::size_t i = 0; i < width; ++i) {
    if (i / size % 2 == 1) continue;
    const Vector<Real> v = row[i],
                       w = row[i + size];  // in the next two lines element j of w has the number width + j
    row[i] = __builtin_shufflevector(v, w, static_cast<int>(j / size % 2 == 1 ? width + j - size : j)...);
    row[i + size] = __builtin_shufflevector(v, w, static_cast<int>(j / size % 2 == 1 ? width + j : j + size)...);
  }
  if constexpr (2 * size < width) exchange_quarters<Real, 2 * size>(row, columns);
}

/// Transposes a square of as many rows and columns as a register has elements.
template <class Real>
void transpose_square(Real* to, std::size_t to_stride, const Real* from, std::size_t stride) {
  constexpr std::size_t width = vector_width<Real>;
  Vector<Real> row[width];
  for (std::size_t i = 0; i < width; ++i) row[i] = load(from + i * stride);
  exchange_quarters<Real, 1>(row, std::make_index_sequence<width>());
  for (std::size_t i = 0; i < width; ++i) store<Real>(to + i * to_stride, row[i]);
}

/// The same for a square of which only the first `rows` exist; the others count as zero. Writes the first `columns` rows of the
/// result.
template <class Real>
void transpose_part(Real* to, std::size_t to_stride, const Real* from, std::size_t stride, std::size_t rows,
                    std::size_t columns) {
  constexpr std::size_t width = vector_width<Real>;
  Vector<Real> row[width];
  for (std::size_t i = 0; i < width; ++i) row[i] = i < rows ? load(from + i * stride) : Vector<Real>{};
  exchange_quarters<Real, 1>(row, std::make_index_sequence<width>());
  for (std::size_t i = 0; i < width; ++i) {
    if (i < columns) store<Real>(to + i * to_stride, row[i]);
  }
}

/// to (columns, rows) = the transposed of `from` (rows, columns), in whole registers: both matrices have room for them at the end
/// of a row. Numbers of `to` beyond its rows become zero.
template <class Real>
void transpose_registers(Real* to, std::size_t to_stride, const Real* from, std::size_t stride, std::size_t rows,
                         std::size_t columns) {
  constexpr std::size_t width = vector_width<Real>;
  for (std::size_t r = 0; r < rows; r += width) {
    for (std::size_t c = 0; c < columns; c += width)
      transpose_part(to + c * to_stride + r, to_stride, from + r * stride + c, stride, rows - r, columns - c);
  }
}

/// to (columns, rows) = the transposed of `from` (rows, columns).
template <class Real>
void transpose(Real* to, std::size_t to_stride, const Real* from, std::size_t stride, std::size_t rows,
               std::size_t columns) {
  constexpr std::size_t width = vector_width<Real>;
  const std::size_t whole = columns - columns % width;
  std::size_t r = 0;
  for (; r + width <= rows; r += width) {
    for (std::size_t c = 0; c < whole; c += width)
      transpose_square(to + c * to_stride + r, to_stride, from + r * stride + c, stride);
    for (std::size_t c = whole; c < columns; ++c) {
      for (std::size_t i = r; i < r + width; ++i) to[c * to_stride + i] = from[i * stride + c];
    }
  }
  for (; r + 4 <= rows; r += 4) {  // four neighbours need one store
    const Real *const x0 = from + r * stride, *const x1 = x0 + stride, *const x2 = x1 + stride,
                      *const x3 = x2 + stride;
    for (std::size_t c = 0; c < columns; ++c) {
      Real* const out = to + c * to_stride + r;
      const Real e0 = x0[c], e1 = x1[c], e2 = x2[c], e3 = x3[c];
      out[0] = e0, out[1] = e1, out[2] = e2, out[3] = e3;
    }
  }
  for (; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) to[c * to_stride + r] = from[r * stride + c];
  }
}

}  // namespace gradus
