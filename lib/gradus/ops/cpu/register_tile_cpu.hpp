#pragma once
/// \file
/// A tile of a matrix product. Its sums stay in registers while a loop reads both factors where they lie.

#include <type_traits>
#include <utility>

#include "gradus/ops/cpu/vector_cpu.hpp"

namespace gradus {

/// Rows of a whole tile. With `tile_registers` for each row, its sums and the operands fit into the registers of the processor.
constexpr int tile_rows = 6;

/// The tile's columns of a row of b, multiplied by one number and added to a row of sums.
template <class Real, std::size_t... v>
inline void add_multiple(Vector<Real>* sum, Real x, const Vector<Real>* b, std::index_sequence<v...>) {
  ((sum[v] += x * b[v]), ...);
}

/// One step of the sums: column k of a times row k of b. `step` is the distance of neighbours in the column.
template <int V, class Real, std::size_t... r>
inline void add_outer_product(Vector<Real>* sum, const Real* a, std::size_t step, const Vector<Real>* b,
                              std::index_sequence<r...>) {
  (add_multiple<Real>(sum + r * V, a[r * step], b, std::make_index_sequence<V>()), ...);
}

template <class Real, std::size_t... v>
inline void load_row(Vector<Real>* to, const Real* from, std::index_sequence<v...>) {
  ((to[v] = load(from + v * vector_width<Real>)), ...);
}

template <class V, std::size_t... i>
inline void clear(V* sum, std::index_sequence<i...>) {
  ((sum[i] = V{}), ...);
}

/// Calls take(i / V, i % V, sum[i]) for each i.
template <int V, class S, class Take, std::size_t... i>
inline void give_each(const S* sum, const Take& take, std::index_sequence<i...>) {
  (take(i / V, i % V, sum[i]), ...);
}

/// computes  R rows and V registers of columns of a b. Calls take(r, v, sum) with register v of row r, for all of them. If `turned`,
///           the memory holds the transposed of a.
/// ensures   Each element is summed in the order of k. So a row does not depend, to the bit, on the other rows of the tile.
///
/// No loop runs over the sums: each place is a constant. With a loop, g++ keeps all of them in memory too, and writes and reads them
/// there once for each tile. `take` is a copy and should hold copies, not references: else the compiler must
/// assume that a store changes them, and reads them again after each.
template <int R, int V, class Real, bool turned = false, class Take>
inline void register_tile(Strided<Real> a, Strided<Real> b, std::size_t K, Take take) {
  constexpr auto all = std::make_index_sequence<R * V>();
  Vector<Real> sum[R * V];
  clear(sum, all);
  for (std::size_t k = 0; k < K; ++k) {
    Vector<Real> row[V];
    load_row<Real>(row, b.data + k * b.stride, std::make_index_sequence<V>());
    const Real* const column = a.data + (turned ? k * a.stride : k);
    // This asks early for the cache lines after those of these rows of a: they are far apart.
    if constexpr (turned) __builtin_prefetch(column + 128 / sizeof(Real));
    add_outer_product<V>(sum, column, turned ? 1 : a.stride, row, std::make_index_sequence<R>());
  }
  give_each<V>(sum, take, all);
}

/// Calls f with n as a constant; 0 < n <= most.
template <int most, class F>
inline void with_constant(std::size_t n, F&& f) {
  if constexpr (most > 1) {
    if (n < most) return with_constant<most - 1>(n, f);
  }
  f(std::integral_constant<int, most>());
}

/// Calls f(first row, number of rows) for all rows, in tiles of at most `most` rows. The number is known to the compiler. The last
/// rows become two nearly equal tiles: the sums of a tile of one row wait for each other.
template <int most = tile_rows, class F>
void each_row_tile(std::size_t rows, F&& f) {
  for (std::size_t i = 0; i < rows;) {
    const std::size_t left = rows - i;
    const std::size_t count = left >= 2 * most ? most : left > most ? (left + 1) / 2 : left;
    with_constant<most>(count, [&](auto n) { f(i, n); });
    i += count;
  }
}

}  // namespace gradus
