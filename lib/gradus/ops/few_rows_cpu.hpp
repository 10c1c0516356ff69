#pragma once
/// \file
/// Products of a few rows with a large transposed matrix: a search for one sentence computes such a product for each word, with the
/// whole table of words. BLAS copies the large matrix into another order first. For few rows the copy takes longer than the product.

#include "gradus/tensor/view.hpp"

namespace gradus {

/// Whether multiply_few_rows is faster than BLAS for a (n, k) times the transposed of b (m, k): measured by tests/bench/ground_bench.cpp.
constexpr bool is_few_rows(std::size_t n, std::size_t m) { return n <= 16 && m >= 1024; }

/// computes  c = scale a b^T,  or c + scale a b^T if `add`
/// requires  a (n, k), b (m, k), c (n, m); unchecked, gemm has checked them
/// ensures   A row of c depends on the same row of a and on b alone, to the bit.
void multiply_few_rows(View<float, 2, Host> c, View<const float, 2, Host> a, View<const float, 2, Host> b,
                       float scale, bool add);

}  // namespace gradus
