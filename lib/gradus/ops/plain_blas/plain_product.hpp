#pragma once
/// \file
/// The matrix product by plain loops, where there is no OpenBLAS.

#include <cstddef>

namespace gradus {

/// A matrix as a factor: element (i, j) of it, or of its transpose.
template <class Real>
struct PlainFactor {
  const Real* data;
  std::ptrdiff_t stride;  ///< between the rows in memory
  bool transposed;
  Real operator()(std::ptrdiff_t i, std::ptrdiff_t j) const {
    return transposed ? data[j * stride + i] : data[i * stride + j];
  }
};

/// c = alpha a b + beta c, for c (m, n) with rows `ldc` apart, and k the length of each sum. With beta = 0 the old c is not read.
/// The inner loop runs along a row of c, so it vectorises where b is not transposed.
template <class Real>
void plain_product(int m, int n, int k, Real alpha, const PlainFactor<Real>& a, const PlainFactor<Real>& b,
                   Real beta, Real* c, std::ptrdiff_t ldc) {
  for (int i = 0; i < m; ++i, c += ldc) {
    for (int j = 0; j < n; ++j) c[j] = beta == 0 ? Real(0) : beta * c[j];
    for (int p = 0; p < k; ++p) {
      const Real factor = alpha * a(i, p);
      for (int j = 0; j < n; ++j) c[j] += factor * b(p, j);
    }
  }
}

}  // namespace gradus
