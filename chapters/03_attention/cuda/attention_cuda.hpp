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

/// The tensors of one head of one sentence, in forward and in backward.
template <class Real>
struct ForwardParts {
  View<Real, 2, Gpu> y, weights;
  View<const Real, 2, Gpu> q, k, v;
};
template <class Real>
struct BackwardParts {
  View<Real, 2, Gpu> dq, dk, dv;
  View<const Real, 2, Gpu> dy, q, k, v, p;
};

/// The arguments of all blocks of a launch. Each member has eight bytes, because bytes of padding could differ
/// between two recordings of one step.
template <class Real>
struct AttentionWork {
  std::size_t heads, Dk;
  std::size_t items;          ///< heads of sentences
  std::size_t short_blocks;   ///< the first blocks: each warp takes an item, if its sentence is short
  std::size_t spilling;       ///< the next ones: they share the items whose tables do not fit into shared memory
  std::size_t general;        ///< and then those that share all other items
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
  /// The blocks after these clear rows.
  constexpr std::size_t attending() const { return short_blocks + spilling + general; }
  /// In the blocks that clear rows: the first of the 32 rows of this warp.
  __device__ std::size_t first_row() const {
    return ((blockIdx.x - attending()) * attention_warps + threadIdx.x / 32) * 32;
  }
};

/// A sentence is short if it has at most so many queries, and at most so many keys. A number in double takes two
/// registers.
template <class Real>
constexpr std::size_t most_short = 32 * sizeof(float) / sizeof(Real);

/// Whether a warp alone computes this item. It does for a sentence that does not fit into its rows, too: its outputs
/// become NaN.
template <class Real>
__device__ bool is_short(const HeadBlock& b) {
  return !b.query.fits || !b.key.fits || (b.query.count <= most_short<Real> && b.key.count <= most_short<Real>);
}

/// Calls f(b, memory) for the items of this block, a spilling or a general one: all items, or those that are not short if
/// `has_short`. The tables of each sentence decide which memory it gets, so one long sentence slows no other one down.
/// `Tables::room` says how many elements they need. A segment that does not fit into its rows needs none: its outputs
/// become NaN. f is compiled twice, because the compiler uses other instructions for shared memory; without spilling
/// blocks once.
template <class Tables, bool has_short, bool spills, class Real, class F>
__device__ void each_long_item(const AttentionWork<Real>& work, const BasicSegments<Gpu>& queries,
                               const BasicSegments<Gpu>& keys, const F& f) {
  const auto is_small = [&](const HeadBlock& b) {
    return !b.query.fits || !b.key.fits || Tables::room(work.Dk, b.query.count, b.key.count) <= work.shared;
  };
  const auto take_turns = [&](std::size_t first, std::size_t step, bool takes_small, Real* memory) {
    for (std::size_t item = first; item < work.items; item += step) {
      const HeadBlock b = work.block(queries, keys, item);
      if ((has_short && is_short<Real>(b)) || (spills && is_small(b) != takes_small)) continue;
      __syncthreads();  // other warps may still read the memory for the previous item
      f(b, memory);
    }
  };
  const std::size_t block = blockIdx.x - work.short_blocks;
  if constexpr (spills) {
    if (block < work.spilling) return take_turns(block, work.spilling, false, work.memory + block * work.room);
  }
  take_turns(block - work.spilling, work.general, true, gpu::dynamic_shared<Real>());
}

/// Calls f(b) for the item of this warp, one of the first blocks, if a warp alone computes it.
template <class Real, class F>
__device__ void short_item(const AttentionWork<Real>& work, const BasicSegments<Gpu>& queries,
                           const BasicSegments<Gpu>& keys, const F& f) {
  const std::size_t item = blockIdx.x * attention_warps + threadIdx.x / 32;
  if (item >= work.items) return;
  const HeadBlock b = work.block(queries, keys, item);
  if (is_short<Real>(b)) f(b);
}

/// One warp sets the rows first, first + step, ... of x to `value`.
template <class Real>
__device__ void fill_rows(View<Real, 2, Gpu> x, Real value, std::size_t first, std::size_t step) {
  for (std::size_t n = first; n < x.extent[0]; n += step) {
    for (std::size_t d = threadIdx.x % 32; d < x.extent[1]; d += 32) x.row(n)[d] = value;
  }
}

/// These tensors become NaN, because a segment does not fit. One warp sets the rows first, first + step, ...
template <class Real, class... Views>
__device__ void poison(std::size_t first, std::size_t step, Views... x) {
  (fill_rows<Real>(x, std::numeric_limits<Real>::quiet_NaN(), first, step), ...);
}

template <class Real, class... Views>
__device__ void poison_by_block(Views... x) {
  poison<Real>(threadIdx.x / 32, attention_warps, x...);
}

/// The first n of 32 bits.
__device__ inline unsigned bits_before(std::int64_t n) { return n <= 0 ? 0 : n >= 32 ? ~0U : (1U << n) - 1; }

/// The rows first .. first + 31 that belong to a segment, as bits. Each lane checks every 32nd segment.
__device__ inline unsigned covered_rows(const BasicSegments<Gpu>& segments, std::size_t first) {
  unsigned covered = 0;
  for (std::size_t i = threadIdx.x % 32; i < segments.sentences(); i += 32) {
    const std::int64_t begin = segments.begin[i] - static_cast<std::int64_t>(first);
    covered |= bits_before(begin + segments.length[i]) & ~bits_before(begin);
  }
  for (int half = 16; half > 0; half /= 2) covered |= __shfl_xor_sync(gpu::all_lanes, covered, half);
  return covered;
}

/// One warp calls f(n) for the rows n of first .. first + 31 that belong to no segment.
template <class F>
__device__ void each_spare_row(const BasicSegments<Gpu>& segments, std::size_t first, const F& f) {
  const unsigned covered = covered_rows(segments, first);
  for (std::size_t n = first; n < first + 32 && n < segments.rows; ++n) {
    if ((covered >> (n - first) & 1) == 0) f(n);
  }
}

/// One warp sets these rows to 0.
template <class Real, class... Views>
__device__ void clear(Views... x) {
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

/// The work of a launch: every head of every sentence.
template <class Real>
AttentionWork<Real> attention_work(Cuda<Real>& dev, const BasicSegments<Gpu>& queries, std::size_t D,
                                   const AttentionOptions& options) {
  AttentionWork<Real> work{};
  work.heads = options.heads;
  work.Dk = D / options.heads;
  work.items = work.general = queries.sentences() * options.heads;
  work.causal = options.causal ? 1 : 0;
  work.scale[0] = work.scale[1] = static_cast<Real>(1 / std::sqrt(static_cast<double>(work.Dk)));
  work.dropout = kernel_dropout(dev, options.dropout);
  return work;
}

/// Memory for the tables. `room` is for the longest sentences that a launch of these sizes may get. A recording keeps
/// its sizes, so they must cover each batch that it serves: in a search those of one batch, in a training all of the
/// corpus. The number of blocks that use the workspace is limited.
template <class Real>
void take_memory(Cuda<Real>& dev, AttentionWork<Real>& work, std::size_t room) {
  constexpr std::size_t most_blocks = 128;
  work.room = room;
  work.shared = attention_shared_bytes(room * sizeof(Real)) / sizeof(Real);
  if (room > work.shared) {
    work.spilling = std::min(work.items, most_blocks);
    work.memory = dev.scratch.vector(work.spilling * room).data;
  }
}

/// Launches the kernel with its attending blocks, and one warp for each 32 of the `row_count` rows that may need
/// clearing.
template <class Real, class... P, class... A>
void launch_attention(void (*kernel)(P...), const AttentionWork<Real>& work, std::size_t row_count,
                      A... arguments) {
  const unsigned blocks = gpu::blocks_for(work.attending() + gpu::blocks_for(row_count, attention_threads), 1);
  const std::size_t shared_bytes = work.shared * sizeof(Real);
  if (shared_bytes > gpu::plain_shared_bytes) gpu::allow_shared(kernel);
  gpu::launch_early(kernel, {blocks, attention_threads, shared_bytes}, arguments..., work);
}

}  // namespace gradus
