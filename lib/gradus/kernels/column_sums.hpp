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

/// sums[k].row(chunk)[d] = sum over first <= n < end of term(n, d)[k], by one thread.
template <class Real, std::size_t K, class Term>
__device__ void sum_column(const std::array<View<Real, 2, Gpu>, K>& sums, std::size_t chunk, std::size_t d,
                           std::size_t first, std::size_t end, const Term& term) {
  std::array<Real, K> sum{};
  for (std::size_t n = first; n < end; ++n) {
    const std::array<Real, K> more = term(n, d);
    for (std::size_t k = 0; k < K; ++k) sum[k] += more[k];
  }
  for (std::size_t k = 0; k < K; ++k) sums[k].row(chunk)[d] = sum[k];
}

/// Each thread has one column of one chunk of rows.
template <class Real, std::size_t K, class Term>
__global__ void chunk_sums_kernel(std::array<View<Real, 2, Gpu>, K> sums, std::size_t N, Term term) {
  const std::size_t chunk = blockIdx.x, d = block_y() * blockDim.x + threadIdx.x;
  if (d >= sums[0].extent[1]) return;
  const std::size_t first = chunk * rows_per_chunk, end = first + rows_per_chunk;
  sum_column<Real, K>(sums, chunk, d, first, end < N ? end : N, term);
}

constexpr std::size_t most_due = 64;  ///< sums of one launch: the arguments of a kernel have 4 KiB
constexpr unsigned most_chunk_warps = 16;

struct ChunkSums;  // distinguishes the shared memory below

/// to[i][d] += the sum of column d of rows[i], i = blockIdx.y. A block has 32 columns. Of its W warps, warp w adds the
/// rows w, w + W, ...; then the first warp adds the results of all warps, in their order.
template <class Real>
__global__ void add_due_kernel(std::array<View<Real, 1, Gpu>, most_due> to,
                               std::array<View<const Real, 2, Gpu>, most_due> rows) {
  const View<Real, 1, Gpu> y = to[blockIdx.y];
  const View<const Real, 2, Gpu> x = rows[blockIdx.y];
  if (std::size_t{blockIdx.x} * 32 >= y.extent[0]) return;  // the whole block: other sums have more columns
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const std::size_t d = std::size_t{blockIdx.x} * 32 + lane, D = y.extent[0];
  Real* const of_warp = shared<ChunkSums, Real, most_chunk_warps * 32>();  // (warps, 32)
  Real sum = 0;
  for (std::size_t c = warp; d < D && c < x.extent[0]; c += warps) sum += x.row(c)[d];
  of_warp[warp * 32 + lane] = sum;
  __syncthreads();
  if (warp != 0 || d >= D) return;
  Real total = 0;
  for (unsigned w = 0; w < warps; ++w) total += of_warp[w * 32 + lane];
  y[d] += total;
}

/// to[k] += the sum of the rows of sums[k], when the step calls add_due_sums. `sums` are in dev.kept.
template <class Real, std::size_t K>
void add_later(Cuda<Real>& dev, const std::array<View<Real, 1, Gpu>, K>& to,
               const std::array<View<Real, 2, Gpu>, K>& sums) {
  for (std::size_t k = 0; k < K; ++k) dev.due.push_back({to[k], sums[k]});
}

/// K matrices for the sums of `chunks` chunks of rows.
template <class Real, std::size_t K>
std::array<View<Real, 2, Gpu>, K> chunk_sums(Cuda<Real>& dev, std::size_t chunks, std::size_t D) {
  std::array<View<Real, 2, Gpu>, K> sums;
  for (auto& of_chunks : sums) of_chunks = dev.kept.matrix(chunks, D);
  return sums;
}

/// to[k][d] += sum over the N rows n of term(n, d)[k], for K sums in one pass. `term` is a struct with a __device__
/// operator(); neighbouring threads call it for neighbouring columns. Chunks of rows are summed in parallel, and
/// add_due_sums adds their sums in a fixed order: no atomics, so every run gives the same bits.
template <class Real, std::size_t K, class Term>
void add_column_sums(Cuda<Real>& dev, const std::array<View<Real, 1, Gpu>, K>& to, std::size_t N,
                     const Term& term) {
  constexpr unsigned threads = 64;
  const std::size_t D = to[0].extent[0];
  const unsigned chunks = blocks_for(N, rows_per_chunk), blocks = blocks_for(D, threads);
  const auto sums = chunk_sums<Real, K>(dev, chunks, D);
  launch(chunk_sums_kernel<Real, K, Term>, {blocks_xy(chunks, blocks), threads}, sums, N, term);
  add_later<Real, K>(dev, to, sums);
}

}  // namespace gradus::gpu
