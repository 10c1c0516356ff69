#pragma once
/// \file
/// Sums over the rows of a batch that have the same id: the gradient of a table whose rows were looked up. Rows are
/// first sorted by id, so the rows of one id are neighbours, and one thread adds them in a fixed order. No atomics,
/// so every run gives the same bits.

#include <cstdint>

#include "gradus/device/cuda.hpp"
#include "gradus/kernels/quad.hpp"
#include "gradus/kernels/reduce.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus::gpu {

constexpr unsigned warps_by_id = 8;  ///< of a block, in all three kernels
/// rows that a warp ranks together: each id is read once for all of them
constexpr std::uint32_t ranked_together = 4;
constexpr std::size_t sorted_rows_a_part = 8;  ///< sorted rows that one thread adds

/// Sorts the rows by id, rows of one id in their own order: row[k] is the k-th row, id[k] its id. A row's place is
/// the number of rows before it; a warp counts them, each lane among every 32nd row.
template <std::uint32_t together>
__global__ void sort_rows_kernel(View<std::int32_t, 1, Gpu> row, View<std::int32_t, 1, Gpu> id,
                                 View<const std::int32_t, 1, Gpu> ids) {
  const auto N = static_cast<std::uint32_t>(ids.extent[0]);
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t first = (blockIdx.x * warps_by_id + threadIdx.x / 32) * together;
  std::int32_t own[together], before[together];
  for (std::uint32_t k = 0; k < together; ++k) {
    own[k] = first + k < N ? ids[first + k] : 0;
    before[k] = 0;
  }
  for (std::uint32_t m = lane; m < N; m += 32) {
    const std::int32_t other = ids[m];
    for (std::uint32_t k = 0; k < together; ++k) {
      before[k] += other < own[k] || (other == own[k] && m < first + k) ? 1 : 0;
    }
  }
  for (std::uint32_t k = 0; k < together; ++k) {
    const std::int32_t place = warp_sum(before[k]);
    if (lane != 0 || first + k >= N) continue;
    row[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(first + k);
    id[static_cast<std::size_t>(place)] = own[k];
  }
}

/// y[4 quad + k] += sum[k], for the columns that exist.
template <class Real>
__device__ void add_quad_to(Real* y, std::size_t columns, std::size_t quad, const Quad<Real>& sum) {
  Quad<Real> total = load_quad(y, 4 * quad, columns);
  add_quad(total, sum);
  store_quad(y, 4 * quad, columns, total);
}

/// Whether a row of the table is updated.
struct Learning {
  std::int32_t rows, skipped;
  __device__ bool operator()(std::int32_t id) const { return id >= 0 && id < rows && id != skipped; }
};

/// Each thread has four columns of one part of the sorted rows. It adds each run of equal ids in the part, and adds
/// the sum to the id's row of `to`. No other thread writes that row, because a run begins in one part only. If the
/// part's first run began in an earlier part, its sum goes to `carried` instead. All rows are read before the first
/// addition, so the thread waits for memory once and not eight times.
template <class Real, class Term>
__global__ void add_runs_kernel(View<Real, 2, Gpu> to, View<Real, 2, Gpu> carried,
                                View<const std::int32_t, 1, Gpu> row, View<const std::int32_t, 1, Gpu> id,
                                Learning learns, Term term) {
  const std::size_t N = id.extent[0], part = std::size_t{blockIdx.x} * warps_by_id + threadIdx.x / 32;
  const std::size_t quad = block_y() * 32 + threadIdx.x % 32, first = part * sorted_rows_a_part;
  if (first >= N || 4 * quad >= to.extent[1]) return;
  constexpr std::int32_t none = -1;
  std::int32_t used[sorted_rows_a_part];  // read before the first row: rows need not wait
  for (std::size_t k = 0; k < sorted_rows_a_part; ++k)
    used[k] = first + k < N && learns(id[first + k]) ? row[first + k] : none;
  Quad<Real> terms[sorted_rows_a_part];
  for (std::size_t k = 0; k < sorted_rows_a_part; ++k)
    terms[k] = used[k] != none ? term(static_cast<std::size_t>(used[k]), quad) : Quad<Real>{};
  bool is_carried = first > 0 && id[first - 1] == id[first];
  Quad<Real> sum{};
  for (std::size_t k = 0; k < sorted_rows_a_part; ++k) {
    if (first + k >= N) break;
    const std::int32_t of_run = id[first + k];
    add_quad(sum, terms[k]);
    const bool goes_on = k + 1 < sorted_rows_a_part && first + k + 1 < N && id[first + k + 1] == of_run;
    if (goes_on) continue;
    if (is_carried) {
      store_quad(carried.row(part), 4 * quad, carried.extent[1], sum);
    } else if (learns(of_run)) {
      add_quad_to(to.row(static_cast<std::size_t>(of_run)), to.extent[1], quad, sum);
    }
    sum = {};
    is_carried = false;
  }
}

/// For a run that is longer than its part: the thread of the part in which the run begins adds the sums that the
/// following parts carried, in their order. It too reads several values before it adds the first.
template <class Real>
__global__ void add_carried_kernel(View<Real, 2, Gpu> to, View<const Real, 2, Gpu> carried,
                                   View<const std::int32_t, 1, Gpu> id, Learning learns) {
  const std::size_t N = id.extent[0], part = std::size_t{blockIdx.x} * warps_by_id + threadIdx.x / 32;
  const std::size_t quad = block_y() * 32 + threadIdx.x % 32, first = part * sorted_rows_a_part;
  const std::size_t next = first + sorted_rows_a_part;
  if (next >= N || 4 * quad >= to.extent[1]) return;
  const std::int32_t of_run = id[next - 1];
  if (id[next] != of_run || !learns(of_run)) return;  // no run continues into the next part
  if (first > 0 && id[first - 1] == of_run) return;   // it began in an earlier part
  constexpr std::size_t at_once = 8;
  Quad<Real> sum{};
  bool goes_on = true;
  for (std::size_t from = part + 1; goes_on; from += at_once) {
    Quad<Real> more[at_once];
    for (std::size_t p = 0; p < at_once; ++p) {
      const std::size_t begin = (from + p) * sorted_rows_a_part;
      goes_on = begin < N && id[begin] == of_run;
      more[p] = goes_on ? load_quad(carried.row(from + p), 4 * quad, carried.extent[1]) : Quad<Real>{};
    }
    for (std::size_t p = 0; p < at_once; ++p) add_quad(sum, more[p]);
  }
  add_quad_to(to.row(static_cast<std::size_t>(of_run)), to.extent[1], quad, sum);
}

/// to.row(ids[n])[4 quad + k] += term(n, quad)[k] for every row n. Ids that are `skipped`, or are no row of `to`,
/// add nothing. `term` is a struct with a __device__ operator() that returns four columns, 0 for those beyond the
/// last.
template <class Real, class Term>
void add_rows_by_id(Cuda<Real>& dev, View<Real, 2, Gpu> to, View<const std::int32_t, 1, Gpu> ids,
                    std::int32_t skipped, const Term& term) {
  constexpr unsigned threads = 32 * warps_by_id;
  const std::size_t N = ids.extent[0];
  const unsigned parts = blocks_for(N, sorted_rows_a_part), quads = blocks_for(to.extent[1], 4);
  const Learning learns{static_cast<std::int32_t>(to.extent[0]), skipped};
  const Grid grid{blocks_xy(blocks_for(parts, warps_by_id), blocks_for(quads, 32)), threads};
  Scratch scope(dev);
  const View<std::int32_t, 1, Gpu> row = dev.scratch.ints(N), id = dev.scratch.ints(N);
  const View<Real, 2, Gpu> carried = dev.scratch.matrix(parts, std::size_t{4} * quads);
  launch(sort_rows_kernel<ranked_together>, {blocks_for(N, warps_by_id * ranked_together), threads}, row, id, ids);
  launch(add_runs_kernel<Real, Term>, grid, to, carried, row, id, learns, term);
  launch(add_carried_kernel<Real>, grid, to, carried, id, learns);
}

}  // namespace gradus::gpu
