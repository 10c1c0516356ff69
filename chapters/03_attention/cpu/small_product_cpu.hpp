#pragma once
/// \file
/// The products of one head, typically 14 x 14 x 32. BLAS would spend its time on packing such small matrices. Here
/// a tile of the result stays in registers while a loop reads both factors.

#include <algorithm>
#include <cstddef>

#include "gradus/ops/cpu/register_tile_cpu.hpp"

namespace gradus {

/// Rows of scores are padded to whole registers, so loops over them have no remainder.
template <class Real>
constexpr std::size_t whole_registers(std::size_t n) {
  return (n + vector_width<Real> - 1) / vector_width<Real> * vector_width<Real>;
}

/// The left factor of a product: its rows, or if `turned` the rows of its transposed, so neither needs a copy.
template <class Real, bool turned>
struct Left {
  Strided<Real> rows;
};
template <class Real>
Left<Real, false> by_rows(const Real* data, std::size_t stride) {
  return {{data, stride}};
}
template <class Real>
Left<Real, true> by_columns(const Real* data, std::size_t stride) {  // transposed
  return {{data, stride}};
}

/// Rows and columns of the result, and the length of the sums.
struct ProductSize {
  std::size_t rows, columns, K;
};

/// V registers of columns, and all rows, of c = scale a b. Twelve rows, or six of two registers, are enough sums to keep the
/// processor busy while each of them waits for its last addition.
template <int V, class Real, bool turned>
void product_columns(Real* c, std::size_t c_stride, const Left<Real, turned>& a, Strided<Real> b,
                     const ProductSize& n, Real scale) {
  each_row_tile<2 * tile_rows / V>(n.rows, [&](std::size_t first, auto rows) {
    constexpr int R = decltype(rows)::value;
    Real* const to = c + first * c_stride;
    register_tile<R, V, Real, turned>({a.rows.data + (turned ? first : first * a.rows.stride), a.rows.stride}, b,
                                      n.K, [=](std::size_t r, std::size_t v, Vector<Real> sum) {
                                        store<Real>(to + r * c_stride + v * vector_width<Real>, scale * sum);
                                      });
  });
}

/// The same for W columns, fewer than fill a register.
template <int W, class Real, bool turned>
void narrow_columns(Real* c, std::size_t c_stride, const Left<Real, turned>& a, Strided<Real> b,
                    const ProductSize& n, Real scale) {
  const std::size_t row = turned ? 1 : a.rows.stride, column = turned ? a.rows.stride : 1;
  each_row_tile<8>(n.rows, [&](std::size_t first, auto rows) {
    constexpr std::size_t R = decltype(rows)::value;
    Real sum[R][W] = {};
    for (std::size_t k = 0; k < n.K; ++k) {
      for (std::size_t r = 0; r < R; ++r) {
        const Real x = a.rows.data[(first + r) * row + k * column];
#pragma omp simd
        for (int w = 0; w < W; ++w) sum[r][w] += x * b.data[k * b.stride + static_cast<std::size_t>(w)];
      }
    }
    for (std::size_t r = 0; r < R; ++r) {
      for (int w = 0; w < W; ++w) c[(first + r) * c_stride + static_cast<std::size_t>(w)] = scale * sum[r][w];
    }
  });
}

/// c = scale a b with c (rows, columns). Rows of b and c are contiguous.
template <class Real, bool turned>
void small_product(Real* c, std::size_t c_stride, const Left<Real, turned>& a, const Real* b, std::size_t b_stride,
                   const ProductSize& n, Real scale) {
  if (n.K == 0) {  // the sum is empty, and b may be absent
    for (std::size_t i = 0; i < n.rows; ++i) std::fill_n(c + i * c_stride, n.columns, Real(0));
    return;
  }
  if (n.rows == 0) return;
  constexpr std::size_t width = vector_width<Real>, half = width / 2;
  std::size_t j = 0;
  for (; j + 2 * width <= n.columns; j += 2 * width)
    product_columns<2>(c + j, c_stride, a, {b + j, b_stride}, n, scale);
  for (; j + width <= n.columns; j += width) product_columns<1>(c + j, c_stride, a, {b + j, b_stride}, n, scale);
  for (; j + half <= n.columns; j += half) narrow_columns<half>(c + j, c_stride, a, {b + j, b_stride}, n, scale);
  for (; j < n.columns; ++j) narrow_columns<1>(c + j, c_stride, a, {b + j, b_stride}, n, scale);
}

}  // namespace gradus
