#pragma once
/// \file
/// The products of one head, typically 14 x 14 x 32. BLAS would spend its time on packing such small matrices. Here
/// a tile of the result stays in registers while a loop reads both factors.

#include <algorithm>
#include <cstddef>

namespace gradus {

/// Numbers in 32 bytes. Rows of scores are padded to a multiple of this, so loops over them have no remainder.
template <class Real>
constexpr std::size_t lanes = 32 / sizeof(Real);
template <class Real>
constexpr std::size_t whole_lanes(std::size_t n) {
  return (n + lanes<Real> - 1) / lanes<Real> * lanes<Real>;
}

/// The left factor of a product: element (r, k) is data[r row + k column], so a transposed factor needs no copy.
template <class Real>
struct Left {
  const Real* data;
  std::size_t row, column;
};
template <class Real>
Left<Real> by_rows(const Real* data, std::size_t stride) {
  return {data, stride, 1};
}
template <class Real>
Left<Real> by_columns(const Real* data, std::size_t stride) {  // transposed
  return {data, 1, stride};
}

/// Rows and columns of the result, and the length of the sums.
struct ProductSize {
  std::size_t rows, columns, K;
};

/// R rows and W columns of c = scale a b, with K the length of the sums.
template <int R, int W, class Real>
void product_tile(Real* c, std::size_t c_stride, const Left<Real>& a, const Real* b, std::size_t b_stride,
                  std::size_t K, Real scale) {
  Real sum[R][W] = {};
  for (std::size_t k = 0; k < K; ++k) {
    for (int r = 0; r < R; ++r) {
      const Real x = a.data[static_cast<std::size_t>(r) * a.row + k * a.column];
#pragma omp simd
      for (int w = 0; w < W; ++w) sum[r][w] += x * b[k * b_stride + static_cast<std::size_t>(w)];
    }
  }
  for (int r = 0; r < R; ++r) {
#pragma omp simd
    for (int w = 0; w < W; ++w)
      c[static_cast<std::size_t>(r) * c_stride + static_cast<std::size_t>(w)] = scale * sum[r][w];
  }
}

/// W columns and all rows of c: tiles of R rows, then the rest in tiles of half as many. The tile has enough sums to keep the
/// processor busy while each of them waits for its last addition.
template <int R, int W, class Real>
void product_columns(Real* c, std::size_t c_stride, Left<Real> a, const Real* b, std::size_t b_stride,
                     ProductSize n, Real scale) {
  for (; n.rows >= R; n.rows -= R, c += R * c_stride, a.data += R * a.row) {
    product_tile<R, W>(c, c_stride, a, b, b_stride, n.K, scale);
  }
  if constexpr (R > 1) product_columns<R / 2, W>(c, c_stride, a, b, b_stride, n, scale);
}

/// c = scale a b with c (rows, columns). Rows of b and c are contiguous.
template <class Real>
void small_product(Real* c, std::size_t c_stride, const Left<Real>& a, const Real* b, std::size_t b_stride,
                   const ProductSize& n, Real scale) {
  if (n.K == 0) {  // the sum is empty, and b may be absent
    for (std::size_t i = 0; i < n.rows; ++i) std::fill_n(c + i * c_stride, n.columns, Real(0));
    return;
  }
  if (n.rows == 0) return;
  constexpr std::size_t L = lanes<Real>;
  std::size_t j = 0;
  for (; j + 2 * L <= n.columns; j += 2 * L)
    product_columns<4, 2 * L>(c + j, c_stride, a, b + j, b_stride, n, scale);
  for (; j + L <= n.columns; j += L) product_columns<8, L>(c + j, c_stride, a, b + j, b_stride, n, scale);
  for (; j < n.columns; ++j) product_columns<4, 1>(c + j, c_stride, a, b + j, b_stride, n, scale);
}

}  // namespace gradus
