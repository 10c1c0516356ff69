#pragma once
/// \file
/// Products of floats that are faster than BLAS. BLAS copies both factors into another order first. The functions here read them where
/// they lie, except a transposed right factor of many rows.

#include "gradus/memory/workspace.hpp"
#include "gradus/ops/cpu/vector_cpu.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// Whether multiply_few_rows is faster than BLAS for a (n, k) times the transposed of b (m, k): measured by tests/measure/bench/ground_bench.cpp.
constexpr bool is_few_rows(std::size_t n, std::size_t m) { return n <= 16 && m >= 1024; }

/// computes  c = scale a b^T,  or c + scale a b^T if `add`
/// requires  a (n, k), b (m, k), c (n, m); unchecked, gemm has checked them
/// ensures   A row of c depends on the same row of a and on b alone, to the bit.
void multiply_few_rows(View<float, 2, Host> c, View<const float, 2, Host> a, View<const float, 2, Host> b,
                       float scale, bool add);

/// Whether multiply_by_tiles is faster than BLAS for products of every size, over its three forms. It is so with registers of 64
/// bytes (AVX-512).
constexpr bool tiles_beat_blas = register_bytes == 64;

/// How multiply_by_tiles reads a product: from a (n, k) or, if it is transposed, (k, n), times b (k, m) or (m, k).
struct TiledForm {
  bool a_transposed = false, b_transposed = false;
};

/// Whether multiply_by_tiles can compute a product (n, k) times (k, m) of this form, and is meant to be faster than BLAS.
///
/// The limits: a transposed b is copied first, and many rows must pay for that. With smaller registers BLAS multiplies as fast, and only
/// its copies are saved. They matter for few rows, as long as the k rows of b stay in a near cache.
/// tests/measure/bench/ground_bench.cpp measures the three forms, decoding_bench.cpp the sizes: map_by_... usual ones, largest_by_... the largest
/// with smaller registers.
constexpr bool is_tiled(std::size_t n, std::size_t m, std::size_t k, TiledForm form = {}) {
  if (m % vector_width<float> != 0) return false;
  if (tiles_beat_blas) return !form.b_transposed || n >= 64;
  return !form.a_transposed && !form.b_transposed && n <= 256 && k <= 1024;
}

/// computes  c = scale a b,  or c + scale a b if `add`
/// requires  as is_tiled says: m a multiple of vector_width, c (n, m); unchecked, gemm has checked the shapes.
/// ensures   A row of c depends on the same row of a and on b alone, to the bit. `scratch` is as it was: a transposed b was in it.
void multiply_by_tiles(Workspace<float, Host>& scratch, View<float, 2, Host> c, View<const float, 2, Host> a,
                       View<const float, 2, Host> b, TiledForm form, float scale, bool add);

}  // namespace gradus
