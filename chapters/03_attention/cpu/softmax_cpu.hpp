#pragma once
/// \file
/// Softmax for a block of queries: scores (S, T), one row for each key, one lane for each query. Maximum and sum go
/// over the rows, so no sum crosses lanes. Rows are padded to whole registers, so the inner loops have a constant
/// length. A usual sentence has 14 words, and without padding most of such a loop would be its remainder.

#include <limits>

#include "03_attention/cpu/small_product_cpu.hpp"
#include "gradus/ops/cpu/exp_cpu.hpp"

namespace gradus {

/// A block of scores, (S, T), with rows of `pad` elements. Queries from `behind` + s on see key s. Without a causal
/// mask `behind` is -S, so every query sees every key.
template <class Real>
struct ScoreBlock {
  std::size_t S, pad;
  int behind;

  /// How many of the lanes from j on do not see key s (negative: none, more than the lanes: all).
  int hidden(std::size_t s, std::size_t j) const { return behind + static_cast<int>(s) - static_cast<int>(j); }
};

/// Softmax of each column of x, in place. Hidden entries become 0, also if a column has no others.
template <class Real>
void softmax_columns(Real* x, const ScoreBlock<Real>& b) {
  constexpr int L = vector_width<Real>;
  for (std::size_t j = 0; j < b.pad; j += L) {
    Real largest[L], sum[L] = {}, inverse[L];
    for (int l = 0; l < L; ++l) largest[l] = std::numeric_limits<Real>::lowest();
    for (std::size_t s = 0; s < b.S; ++s) {
      const Real* const row = x + s * b.pad + j;
      const int hidden = b.hidden(s, j);
#pragma omp simd
      for (int l = 0; l < L; ++l) largest[l] = l >= hidden && row[l] > largest[l] ? row[l] : largest[l];
    }
    for (std::size_t s = 0; s < b.S; ++s) {
      Real* const row = x + s * b.pad + j;
      const int hidden = b.hidden(s, j);
#pragma omp simd
      for (int l = 0; l < L; ++l) {
        const Real e = fast_exp(row[l] - largest[l]);
        row[l] = l >= hidden ? e : Real(0);
        sum[l] += row[l];
      }
    }
    for (int l = 0; l < L; ++l) inverse[l] = sum[l] > 0 ? 1 / sum[l] : Real(0);
    for (std::size_t s = 0; s < b.S; ++s) {
      Real* const row = x + s * b.pad + j;
#pragma omp simd
      for (int l = 0; l < L; ++l) row[l] *= inverse[l];
    }
  }
}

/// At entry ds is v dy^T = g. At exit ds = p (dp - sum over the column of p dp), with dp = m g, and p becomes m p.
template <class Real>
void softmax_columns_backward(Real* ds, Real* p, const Real* m, const ScoreBlock<Real>& b) {
  constexpr int L = vector_width<Real>;
  for (std::size_t j = 0; j < b.pad; j += L) {
    Real sum[L] = {};
    for (std::size_t i = j; i < b.S * b.pad; i += b.pad) {
#pragma omp simd
      for (int l = 0; l < L; ++l) sum[l] += m[i + l] * p[i + l] * ds[i + l];
    }
    for (std::size_t i = j; i < b.S * b.pad; i += b.pad) {
      Real row[L], dropped[L];
#pragma omp simd
      for (int l = 0; l < L; ++l) {
        row[l] = p[i + l] * (m[i + l] * ds[i + l] - sum[l]);
        dropped[l] = m[i + l] * p[i + l];
      }
      for (int l = 0; l < L; ++l) ds[i + l] = row[l], p[i + l] = dropped[l];
    }
  }
}

/// x = m x.
template <class Real>
void multiply(Real* x, const Real* m, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) x[i] *= m[i];
}

}  // namespace gradus
