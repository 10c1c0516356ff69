#pragma once
/// \file
/// Products of a search, which have few rows. BLAS copies the factors into another order first, and for few rows this takes longer than
/// the product. The two functions here read the factors where they lie.

#include "gradus/ops/vector_cpu.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// Whether multiply_few_rows is faster than BLAS for a (n, k) times the transposed of b (m, k): measured by tests/bench/ground_bench.cpp.
constexpr bool is_few_rows(std::size_t n, std::size_t m) { return n <= 16 && m >= 1024; }

/// computes  c = scale a b^T,  or c + scale a b^T if `add`
/// requires  a (n, k), b (m, k), c (n, m); unchecked, gemm has checked them
/// ensures   A row of c depends on the same row of a and on b alone, to the bit.
void multiply_few_rows(View<float, 2, Host> c, View<const float, 2, Host> a, View<const float, 2, Host> b,
                       float scale, bool add);

/// Whether multiply_by_tiles can compute a (n, k) times b (k, m), and is meant to be faster than BLAS.
///
/// The limits: for each few rows, a tile reads the same k rows of b again, some registers wide. Up to k = 1024 they stay in a
/// near cache. With more rows the product takes much longer than BLAS's copies of the factors, so there is nothing to save.
/// tests/bench/decoding_bench.cpp measures both sides: map_by_... for usual sizes, largest_by_... at these limits.
constexpr bool is_tiled(std::size_t n, std::size_t m, std::size_t k) {
  return n <= 256 && k <= 1024 && m % vector_width<float> == 0;
}

/// computes  c = scale a b,  or c + scale a b if `add`
/// requires  a (n, k), b (k, m), c (n, m), m a multiple of vector_width; unchecked, gemm has checked the shapes
/// ensures   A row of c depends on the same row of a and on b alone, to the bit.
void multiply_by_tiles(View<float, 2, Host> c, View<const float, 2, Host> a, View<const float, 2, Host> b,
                       float scale, bool add);

}  // namespace gradus
