#pragma once
/// \file
/// The common code of the kernels of attention: the rows and columns of a block, the rows that belong to no
/// sentence, and the memory for the scores of a head.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "03_attention/attention.hpp"
#include "gradus/kernels/reduce.hpp"
#include "gradus/random/dropout_cuda.hpp"

namespace gradus {

constexpr unsigned attention_warps = 8, attention_threads = 32 * attention_warps;

/// The rows of a segment that exist.
struct SegmentRows {
  std::size_t first = 0;
  unsigned count = 0;
  bool fits = true;  ///< false: the segment reaches beyond its rows, or is longer than `longest`
};

/// The host cannot read segments in device memory, and a kernel cannot throw. So the kernels check the segments,
/// stay inside the rows, and write NaN for a segment that does not fit. Then the loss is NaN, and training stops at
/// that step. With zeros it would continue.
__device__ inline SegmentRows segment_rows(const BasicSegments<Gpu>& segments, std::size_t i) {
  const auto rows = static_cast<std::int64_t>(segments.rows), longest = static_cast<std::int64_t>(segments.longest);
  const std::int64_t begin = segments.begin[i], length = segments.length[i], end = begin + length;
  const bool fits = begin >= 0 && length >= 0 && length <= longest && end <= rows;
  const std::int64_t first = begin < 0 ? 0 : begin, last = end < rows ? end : rows;
  return {static_cast<std::size_t>(first), last > first ? static_cast<unsigned>(last - first) : 0, fits};
}

/// One head of one sentence.
struct HeadBlock {
  SegmentRows query, key;
  std::size_t head, Dk;  // number and width of the head
};

/// The rows and columns of a block in a matrix with one row for each query (or key).
template <class T>
__device__ View<T, 2, Gpu> head_part(View<T, 2, Gpu> x, const SegmentRows& of, const HeadBlock& b) {
  return columns(rows(x, of.first, of.count), b.head * b.Dk, b.Dk);
}
/// The saved weights of a block, (T, longest): every heads-th row.
template <class T>
__device__ View<T, 2, Gpu> weights_part(View<T, 2, Gpu> weights, const HeadBlock& b, std::size_t heads) {
  return {weights.row(b.query.first * heads + b.head), {b.query.count, weights.extent[1]}, weights.stride * heads};
}

/// The arguments of all blocks of a launch. Each member has eight bytes, because bytes of padding could differ
/// between two recordings of one step.
template <class Real>
struct AttentionWork {
  std::size_t heads, Dk;
  std::size_t items;          ///< heads of sentences
  std::size_t spilling;       ///< the first blocks: they share the items whose tables do not fit into shared memory
  std::size_t causal;         ///< 0 or 1
  std::size_t shared;         ///< elements of shared memory of a block
  std::size_t room;           ///< elements of memory for the longest sentences
  Real* memory;               ///< workspace, `room` for each spilling block; null if there are none
  std::array<Real, 2> scale;  ///< 1 / sqrt(Dk), twice: eight bytes in float, too
  KernelDropout<Real> dropout;

  __device__ HeadBlock block(const BasicSegments<Gpu>& queries, const BasicSegments<Gpu>& keys,
                             std::size_t item) const {
    return {segment_rows(queries, item / heads), segment_rows(keys, item / heads), item % heads, Dk};
  }
  /// After the spilling blocks there is one for each item; the blocks after those clear rows.
  __device__ std::size_t attending() const { return spilling + items; }
  /// In the blocks that clear rows: the row of this warp.
  __device__ std::size_t row_of_warp() const {
    return (blockIdx.x - attending()) * attention_warps + threadIdx.x / 32;
  }
};

/// Calls f(b, memory) for the items of this attending block. The tables of each sentence decide which memory it gets,
/// so one long sentence slows no other one down. `Tables::room` says how many elements they need. A segment that does
/// not fit into its rows needs none: its outputs become NaN. f is compiled twice, because the compiler uses other
/// instructions for shared memory; without spilling blocks once.
template <class Tables, bool spills, class Real, class F>
__device__ void each_item(const AttentionWork<Real>& work, const BasicSegments<Gpu>& queries,
                          const BasicSegments<Gpu>& keys, const F& f) {
  if constexpr (!spills) {
    f(work.block(queries, keys, blockIdx.x), gpu::dynamic_shared<Real>());
  } else {
    const auto is_small = [&](const HeadBlock& b) {
      return !b.query.fits || !b.key.fits || Tables::room(work.Dk, b.query.count, b.key.count) <= work.shared;
    };
    if (blockIdx.x >= work.spilling) {
      const HeadBlock b = work.block(queries, keys, blockIdx.x - work.spilling);
      if (is_small(b)) f(b, gpu::dynamic_shared<Real>());
      return;
    }
    for (std::size_t item = blockIdx.x; item < work.items; item += work.spilling) {
      const HeadBlock b = work.block(queries, keys, item);
      if (is_small(b)) continue;
      __syncthreads();  // other warps may still read the memory for the previous item
      f(b, work.memory + blockIdx.x * work.room);
    }
  }
}

/// One warp sets the rows first, first + step, ... of x to `value`.
template <class Real>
__device__ void fill_rows(View<Real, 2, Gpu> x, Real value, std::size_t first, std::size_t step) {
  for (std::size_t n = first; n < x.extent[0]; n += step) {
    for (std::size_t d = threadIdx.x % 32; d < x.extent[1]; d += 32) x.row(n)[d] = value;
  }
}

/// The block sets x to NaN, because a segment does not fit.
template <class Real>
__device__ void poison(View<Real, 2, Gpu> x) {
  fill_rows<Real>(x, std::numeric_limits<Real>::quiet_NaN(), threadIdx.x / 32, attention_warps);
}

/// Whether row n belongs to a segment. The lanes of a warp check 32 segments at a time.
__device__ inline bool is_covered(const BasicSegments<Gpu>& segments, std::size_t n) {
  for (std::size_t first = 0; first < segments.sentences(); first += 32) {
    const std::size_t i = first + threadIdx.x % 32;
    int covered = 0;
    if (i < segments.sentences()) {
      const std::int64_t behind = static_cast<std::int64_t>(n) - segments.begin[i];
      if (behind >= 0 && behind < segments.length[i]) covered = 1;
    }
    if (__any_sync(gpu::all_lanes, covered) != 0) return true;
  }
  return false;
}

/// One warp sets row n of all these tensors to 0 if n belongs to no segment.
template <class Real, class... Views>
__device__ void clear_if_spare(const BasicSegments<Gpu>& segments, std::size_t n, Views... x) {
  if (n >= segments.rows || is_covered(segments, n)) return;
  (fill_rows<Real>(x, 0, 0, 1), ...);
}

/// The whole block computes turned (columns, ld) = x^T for x (rows, columns) and reads along rows of x. ld is odd,
/// so the 32 numbers that a warp writes to a column lie in 32 different banks of shared memory.
template <class Real>
__device__ void transpose(Real* turned, std::size_t ld, View<const Real, 2, Gpu> x) {
  for (std::size_t n = threadIdx.x / 32; n < x.extent[0]; n += attention_warps) {
    for (std::size_t d = threadIdx.x % 32; d < x.extent[1]; d += 32) turned[d * ld + n] = x.row(n)[d];
  }
}
constexpr std::size_t odd(std::size_t n) { return n | 1; }

/// x (Dk) times column s of a turned matrix: neighbouring lanes have neighbouring s.
template <class Real>
__device__ Real dot_column(const Real* x, const Real* turned, std::size_t ld, std::size_t Dk, std::size_t s) {
  Real sum = 0;
  for (std::size_t d = 0; d < Dk; ++d) sum += x[d] * turned[d * ld + s];
  return sum;
}

/// y[d] = scale times the sum over n < count of c[n step] x.row(n)[d]. A lane computes a column, so a warp reads
/// whole rows of x.
template <class Real>
__device__ void weighted_sum(Real* y, Real scale, const Real* c, std::size_t step, View<const Real, 2, Gpu> x,
                             std::size_t count) {
  for (std::size_t d = threadIdx.x % 32; d < x.extent[1]; d += 32) {
    Real sum = 0;
    for (std::size_t n = 0; n < count; ++n) sum += c[n * step] * x.row(n)[d];
    y[d] = scale * sum;
  }
}

/// The shared memory of a block in bytes, if the tables of the longest sentences take `needed`: all of it, if the GPU
/// can give that much; else 48 KiB, so that several blocks run side by side on a multiprocessor, and the few long
/// sentences use the workspace.
inline std::size_t attention_shared_bytes(std::size_t needed) {
  const std::size_t most = gpu::most_shared_bytes();
  return needed <= most ? needed : std::min(most, gpu::plain_shared_bytes);
}

/// The work of a launch: every head of every sentence. `room` is for the longest sentences that a launch of these
/// sizes may get. A recording keeps its sizes, so they must cover each batch that it serves: in a search those of one
/// batch, in a training all of the corpus. The number of blocks that use the workspace is limited.
template <class Real>
AttentionWork<Real> attention_work(Cuda<Real>& dev, const BasicSegments<Gpu>& queries, std::size_t D,
                                   const AttentionOptions& options, std::size_t room) {
  constexpr std::size_t most_blocks = 128;
  AttentionWork<Real> work{};
  work.heads = options.heads;
  work.Dk = D / options.heads;
  work.items = queries.sentences() * options.heads;
  work.causal = options.causal ? 1 : 0;
  work.room = room;
  work.scale[0] = work.scale[1] = static_cast<Real>(1 / std::sqrt(static_cast<double>(work.Dk)));
  work.dropout = kernel_dropout(dev, options.dropout);
  work.shared = attention_shared_bytes(room * sizeof(Real)) / sizeof(Real);
  if (room > work.shared) {
    work.spilling = work.items < most_blocks ? work.items : most_blocks;
    work.memory = dev.scratch.vector(work.spilling * room).data;
  }
  return work;
}

/// Launches the kernel with its attending blocks, and one warp for each of the `row_count` rows that may need clearing.
template <class Real, class... P, class... A>
void launch_attention(void (*kernel)(P...), const AttentionWork<Real>& work, std::size_t row_count,
                      A... arguments) {
  const unsigned clearing = gpu::blocks_for(row_count, attention_warps);
  const std::size_t shared_bytes = work.shared * sizeof(Real);
  if (shared_bytes > gpu::plain_shared_bytes) gpu::allow_shared(kernel);
  gpu::launch(kernel,
              {static_cast<unsigned>(work.spilling + work.items) + clearing, attention_threads, shared_bytes},
              arguments..., work);
}

}  // namespace gradus
