#pragma once
/// \file
/// Sums over the rows of a matrix, for each column: needed by the gradient of every parameter that all rows read (a
/// bias, a gain, a shift).

#include <array>

#include "gradus/device/cuda.hpp"
#include "gradus/kernels/reduce.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus::gpu {

constexpr std::size_t rows_per_chunk = 32;

/// sums[k].row(chunk)[d] = sum over the rows n of a chunk of term(n, d)[k]. Each thread has one column of one
/// chunk.
template <class Real, std::size_t K, class Term>
__global__ void chunk_sums_kernel(std::array<View<Real, 2, Gpu>, K> sums, std::size_t N, Term term) {
  const std::size_t chunk = blockIdx.x, d = std::size_t{blockIdx.y} * blockDim.x + threadIdx.x;
  if (d >= sums[0].extent[1]) return;
  const std::size_t first = chunk * rows_per_chunk, end = first + rows_per_chunk;
  std::array<Real, K> sum{};
  for (std::size_t n = first; n < end && n < N; ++n) {
    const std::array<Real, K> more = term(n, d);
    for (std::size_t k = 0; k < K; ++k) sum[k] += more[k];
  }
  for (std::size_t k = 0; k < K; ++k) sums[k].row(chunk)[d] = sum[k];
}

constexpr unsigned most_chunk_warps = 16;

struct ChunkSums;  // distinguishes the shared memory below

/// to[k][d] += the sum of the chunks. A block has 32 columns. Of its W warps, warp w adds the chunks w, w + W, ...;
/// then the first warp adds the results of all warps, in their order.
template <class Real, std::size_t K>
__global__ void add_chunks_kernel(std::array<View<Real, 1, Gpu>, K> to,
                                  std::array<View<const Real, 2, Gpu>, K> sums) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const std::size_t d = std::size_t{blockIdx.x} * 32 + lane, D = to[0].extent[0];
  Real* const of_warp = shared<ChunkSums, Real, int{K} * most_chunk_warps * 32>();  // (K, warps, 32)
  for (std::size_t k = 0; k < K; ++k) {
    Real sum = 0;
    for (std::size_t c = warp; d < D && c < sums[k].extent[0]; c += warps) sum += sums[k].row(c)[d];
    of_warp[(k * warps + warp) * 32 + lane] = sum;
  }
  __syncthreads();
  if (warp != 0 || d >= D) return;
  for (std::size_t k = 0; k < K; ++k) {
    Real sum = 0;
    for (unsigned w = 0; w < warps; ++w) sum += of_warp[(k * warps + w) * 32 + lane];
    to[k][d] += sum;
  }
}

/// to[k] += the sum of the rows of sums[k]. The order of additions depends on the number of rows alone.
template <class Real, std::size_t K>
void add_chunk_sums(const std::array<View<Real, 1, Gpu>, K>& to,
                    const std::array<View<const Real, 2, Gpu>, K>& sums) {
  const std::size_t chunks = sums[0].extent[0];
  const unsigned warps = chunks < most_chunk_warps ? static_cast<unsigned>(chunks) : most_chunk_warps;
  launch(add_chunks_kernel<Real, K>, {blocks_for(to[0].extent[0], 32), 32 * warps}, to, sums);
}

/// to[k][d] += sum over the N rows n of term(n, d)[k], for K sums in one pass. `term` is a struct with a __device__
/// operator(); neighbouring threads call it for neighbouring columns. Chunks of rows are summed in parallel, and
/// their sums are added in a fixed order: no atomics, so every run gives the same bits.
template <class Real, std::size_t K, class Term>
void add_column_sums(Cuda<Real>& dev, const std::array<View<Real, 1, Gpu>, K>& to, std::size_t N,
                     const Term& term) {
  constexpr unsigned threads = 64;
  const std::size_t D = to[0].extent[0];
  const unsigned chunks = blocks_for(N, rows_per_chunk), blocks = blocks_for(D, threads);
  Scratch scope(dev);
  std::array<View<Real, 2, Gpu>, K> sums;
  std::array<View<const Real, 2, Gpu>, K> done;
  for (std::size_t k = 0; k < K; ++k) done[k] = sums[k] = dev.scratch.matrix(chunks, D);
  launch(chunk_sums_kernel<Real, K, Term>, {{chunks, blocks}, threads}, sums, N, term);
  add_chunk_sums(to, done);
}

}  // namespace gradus::gpu
