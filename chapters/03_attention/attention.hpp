#pragma once
/// \file
/// Scaled dot-product attention within sentences, with several heads. Sizes: Nq rows of queries, Nk rows of keys
/// and values, H heads of width Dk, D = H Dk.

#include <string>

#include "gradus/device/device.hpp"
#include "gradus/random/dropout_draw.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/segments.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

struct AttentionOptions {
  std::size_t heads = 1;
  bool causal = false;  ///< a query sees the keys up to its own position, counted from the end of the sentence
  Dropout dropout;      ///< on the weights; its side is that of the queries
};

/// The inputs of attention. Query segment i attends to key segment i.
template <class Real, class Space>
struct BasicAttentionInput {
  View<const Real, 2, Space> q;        ///< (Nq, D)
  View<const Real, 2, Space> k, v;     ///< (Nk, D)
  BasicSegments<Space> queries, keys;  ///< the rows of each sentence
};
template <class Dev>
using AttentionInput = BasicAttentionInput<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space, class F>
void each_view(const BasicAttentionInput<Real, Space>& x, F&& f) {
  f(x.q), f(x.k), f(x.v), f(x.queries), f(x.keys);
}

/// The gradients that backward writes: of q (Nq, D), of k and v (Nk, D).
template <class Real, class Space>
struct BasicAttentionGradients {
  View<Real, 2, Space> q, k, v;
};
template <class Dev>
using AttentionGradients = BasicAttentionGradients<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space, class F>
void each_view(const BasicAttentionGradients<Real, Space>& dx, F&& f) {
  f(dx.q), f(dx.k), f(dx.v);
}

template <class Real, class Space>
struct BasicAttentionCache {
  View<Real, 2, Space>
      weights;  ///< (Nq H, longest key segment): row n H + h holds head h of query n; Cpu has gaps between rows
};
template <class Dev>
using AttentionCache = BasicAttentionCache<typename Dev::Real, typename Dev::Space>;

/// \defgroup attention attention
/// computes  for each head and sentence, with q, k, v the columns of the head in the rows of the sentence:
///             p = softmax over the visible keys of (q k^T / sqrt(Dk))                       (eq:3.1, eq:3.2)
///             y = dropout(p) v                                                              (eq:3.3)
///           (Vaswani et al. 2017, section 3.2). Query segment i attends to key segment i. With `causal`, query j
///           of t sees the keys 0 .. n - t + j of n, so the last query sees all keys. Backward: eq:3.7 to eq:3.11.
/// requires  x and dx as their structs say, y, dy (Nq, D); H divides D; both sides have equal numbers of segments;
///           segments lie inside their rows, with at most `longest` rows; else Error. Segments of one side do not
///           overlap. Nq and Nk are the `rows` of the segments. No output overlaps an input. Cuda cannot check the
///           segments: its kernels stay inside the rows and write NaN for a segment that does not fit.
/// ensures   y, dq, dk and dv are overwritten. A key that is not visible has weight exactly 0. A query with no
///           visible key, and a row in no segment, gets y = 0 and gradient 0, and adds nothing to other gradients.
/// saves     p, the weights before dropout, for backward and for pictures; elements beyond the visible keys are 0.
///           Backward draws the dropout mask again: row = query row, column = position of the key in its segment.
/// @{
template <class Device, class Dev = Device>
using AttentionForward = void(Device& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache, const AttentionInput<Dev>& x,
                              const AttentionOptions& options);
template <class Real, class Dev = Reference<Real>>
AttentionForward<Reference<Real>, Dev> attention_forward;
template <class Real, class Dev = Cpu<Real>>
AttentionForward<Cpu<Real>, Dev> attention_forward;
template <class Real, class Dev = Cuda<Real>>
AttentionForward<Cuda<Real>, Dev> attention_forward;

template <class Device, class Dev = Device>
using AttentionBackward = void(Device& dev, const AttentionGradients<Dev>& dx, In<Dev, 2> dy,
                               const AttentionInput<Dev>& x, const AttentionCache<Dev>& cache,
                               const AttentionOptions& options);
template <class Real, class Dev = Reference<Real>>
AttentionBackward<Reference<Real>, Dev> attention_backward;
template <class Real, class Dev = Cpu<Real>>
AttentionBackward<Cpu<Real>, Dev> attention_backward;
template <class Real, class Dev = Cuda<Real>>
AttentionBackward<Cuda<Real>, Dev> attention_backward;
/// @}

/// The number of keys, of `key_count`, that query `j` of `query_count` sees.
constexpr std::size_t visible_keys(std::size_t j, std::size_t query_count, std::size_t key_count, bool causal) {
  if (!causal) return key_count;
  return key_count + j + 1 > query_count ? key_count + j + 1 - query_count : 0;
}

/// Throws Error for a segment that reaches beyond its rows or is longer than `longest`, because `leaf` would write beyond
/// its memory. For the devices whose segments are in host memory.
inline void check_segments(const char* what, const BasicSegments<Host>& segments, const char* leaf = "attention") {
  const auto inside = [&](std::int64_t begin, std::int64_t length) {
    return begin >= 0 && length >= 0 && length <= static_cast<std::int64_t>(segments.longest) &&
           begin + length <= static_cast<std::int64_t>(segments.rows);
  };
  for (std::size_t i = 0; i < segments.sentences(); ++i) {
    if (inside(segments.begin[i], segments.length[i])) continue;
    fail(std::string(leaf) + ": segment " + std::to_string(i) + " of the " + what + " has " +
         std::to_string(segments.length[i]) + " rows from row " + std::to_string(segments.begin[i]) +
         " on; there are " + std::to_string(segments.rows) + " rows, and the longest segment has " +
         std::to_string(segments.longest));
  }
}

/// The check of forward and backward, the same on every device.
template <class Dev>
void check_attention(In<Dev, 2> y, const AttentionInput<Dev>& x, const AttentionOptions& options) {
  const std::size_t D = x.q.extent[1];
  check_shape("attention: q", x.q, {x.queries.rows, D});
  check_shape("attention: k", x.k, {x.keys.rows, D});
  check_shape("attention: v", x.v, {x.keys.rows, D});
  check_shape("attention: y", y, {x.queries.rows, D});
  check_shape("attention: begins of the keys", x.keys.begin, x.queries.begin.extent);
  check_shape("attention: lengths of the keys", x.keys.length, x.queries.begin.extent);
  check_shape("attention: lengths of the queries", x.queries.length, x.queries.begin.extent);
  if (options.heads == 0 || D % options.heads != 0) {
    fail("attention: " + std::to_string(options.heads) + " heads do not divide a width of " + std::to_string(D));
  }
}

template <class Dev>
void check_attention_gradients(const AttentionGradients<Dev>& dx, In<Dev, 2> dy, const AttentionInput<Dev>& x,
                               const AttentionCache<Dev>& cache, const AttentionOptions& options) {
  check_attention<Dev>(dy, x, options);
  check_shape("attention: dq", dx.q, x.q.extent);
  check_shape("attention: dk", dx.k, x.k.extent);
  check_shape("attention: dv", dx.v, x.v.extent);
  check_shape("attention: saved weights", cache.weights, {x.queries.rows * options.heads, x.keys.longest});
}

}  // namespace gradus
