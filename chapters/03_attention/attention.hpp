#pragma once
/// \file
/// Scaled dot-product attention within sentences, several heads side by side. Sizes: Nq rows of queries, Nk rows of
/// keys and values, H heads of width Dk, D = H Dk.

#include <string>

#include "gradus/device/device.hpp"
#include "gradus/random/dropout_draw.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/segments.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

struct AttentionOptions {
  std::size_t heads = 1;
  bool causal = false;  ///< no query sees a key after its own position, counted from the end of the sentence
  Dropout dropout;      ///< on the weights; its side is the queries'
};

template <class Real, class Space>
struct BasicAttentionCache {
  View<Real, 2, Space> weights;  ///< (Nq H, longest key segment): row n H + h holds head h of query n
};
template <class Dev>
using AttentionCache = BasicAttentionCache<typename Dev::Real, typename Dev::Space>;

/// \defgroup attention attention
/// computes  for each head, with q, k, v its columns in the rows of one sentence:
///             p = softmax over the visible keys of (q k^T / sqrt(Dk))                       (eq:3.1, eq:3.2)
///             y = dropout(p) v                                                              (eq:3.3)
///           (Vaswani et al. 2017, section 3.2). Query segment i attends to key segment i. Causal: of n keys, query
///           j of t sees the keys 0 .. n - t + j, so the last query sees them all. Backward: eq:3.4 to eq:3.8.
/// requires  q, y, dq, dy (Nq, D), k, v, dk, dv (Nk, D); H divides D; both sides have equally many segments, which
///           lie inside their rows and are no longer than `longest`; else Error. Segments of one side do not overlap.
///           Nq and Nk are the segments' rows. No output overlaps an input. (Cuda cannot look at segments when it is
///           called: its kernels stay inside the rows and answer a segment that does not fit with NaN.)
/// ensures   y, dq, dk and dv are overwritten. A key that is not visible has weight exactly 0. A query with no
///           visible key, and a row in no segment, gets y = 0, passes no gradient on, and its own gradient is 0.
/// saves     the weights before dropout, which backward needs and pictures show; what lies beyond the visible keys
///           is 0. The dropout mask is drawn again: row = query row, column = position of the key in its segment.
/// @{
template <class Real, class Dev = Reference<Real>>
void attention_forward(Reference<Real>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache, In<Dev, 2> q, In<Dev, 2> k,
                       In<Dev, 2> v, const Segments<Dev>& queries, const Segments<Dev>& keys,
                       const AttentionOptions& options);
template <class Real, class Dev = Cpu<Real>>
void attention_forward(Cpu<Real>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache, In<Dev, 2> q, In<Dev, 2> k,
                       In<Dev, 2> v, const Segments<Dev>& queries, const Segments<Dev>& keys,
                       const AttentionOptions& options);

template <class Real, class Dev = Cuda<Real>>
void attention_forward(Cuda<Real>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache, In<Dev, 2> q, In<Dev, 2> k,
                       In<Dev, 2> v, const Segments<Dev>& queries, const Segments<Dev>& keys,
                       const AttentionOptions& options);

template <class Real, class Dev = Reference<Real>>
void attention_backward(Reference<Real>& dev, Out<Dev, 2> dq, Out<Dev, 2> dk, Out<Dev, 2> dv, In<Dev, 2> dy,
                        In<Dev, 2> q, In<Dev, 2> k, In<Dev, 2> v, const Segments<Dev>& queries,
                        const Segments<Dev>& keys, const AttentionCache<Dev>& cache,
                        const AttentionOptions& options);
template <class Real, class Dev = Cpu<Real>>
void attention_backward(Cpu<Real>& dev, Out<Dev, 2> dq, Out<Dev, 2> dk, Out<Dev, 2> dv, In<Dev, 2> dy, In<Dev, 2> q,
                        In<Dev, 2> k, In<Dev, 2> v, const Segments<Dev>& queries, const Segments<Dev>& keys,
                        const AttentionCache<Dev>& cache, const AttentionOptions& options);
template <class Real, class Dev = Cuda<Real>>
void attention_backward(Cuda<Real>& dev, Out<Dev, 2> dq, Out<Dev, 2> dk, Out<Dev, 2> dv, In<Dev, 2> dy,
                        In<Dev, 2> q, In<Dev, 2> k, In<Dev, 2> v, const Segments<Dev>& queries,
                        const Segments<Dev>& keys, const AttentionCache<Dev>& cache,
                        const AttentionOptions& options);
/// @}

/// How many of `key_count` keys query `j` of `query_count` sees.
constexpr std::size_t visible_keys(std::size_t j, std::size_t query_count, std::size_t key_count, bool causal) {
  if (!causal) return key_count;
  return key_count + j + 1 > query_count ? key_count + j + 1 - query_count : 0;
}

/// Segments that reach beyond their rows, or are longer than they say, would be written beyond the scratch memory.
/// For the devices that may read them.
inline void check_segments(const char* what, const BasicSegments<Host>& segments) {
  const auto inside = [&](std::int64_t begin, std::int64_t length) {
    return begin >= 0 && length >= 0 && length <= static_cast<std::int64_t>(segments.longest) &&
           begin + length <= static_cast<std::int64_t>(segments.rows);
  };
  for (std::size_t i = 0; i < segments.sentences(); ++i) {
    if (inside(segments.begin[i], segments.length[i])) continue;
    fail(std::string("attention: segment ") + std::to_string(i) + " of the " + what + " has " +
         std::to_string(segments.length[i]) + " rows from row " + std::to_string(segments.begin[i]) +
         " on; there are " + std::to_string(segments.rows) + " rows, and the longest segment has " +
         std::to_string(segments.longest));
  }
}

/// The check of both directions, on every device.
template <class Dev>
void check_attention(In<Dev, 2> y, In<Dev, 2> q, In<Dev, 2> k, In<Dev, 2> v, const Segments<Dev>& queries,
                     const Segments<Dev>& keys, const AttentionOptions& options) {
  const std::size_t D = q.extent[1];
  check_shape("attention: q", q, {queries.rows, D});
  check_shape("attention: k", k, {keys.rows, D});
  check_shape("attention: v", v, {keys.rows, D});
  check_shape("attention: y", y, {queries.rows, D});
  check_shape("attention: begins of the keys", keys.begin, queries.begin.extent);
  check_shape("attention: lengths of the keys", keys.length, queries.begin.extent);
  check_shape("attention: lengths of the queries", queries.length, queries.begin.extent);
  if (options.heads == 0 || D % options.heads != 0) {
    fail("attention: " + std::to_string(options.heads) + " heads do not divide a width of " + std::to_string(D));
  }
}

template <class Dev>
void check_attention_gradients(In<Dev, 2> dq, In<Dev, 2> dk, In<Dev, 2> dv, In<Dev, 2> dy, In<Dev, 2> q,
                               In<Dev, 2> k, In<Dev, 2> v, const Segments<Dev>& queries, const Segments<Dev>& keys,
                               const AttentionCache<Dev>& cache, const AttentionOptions& options) {
  check_attention<Dev>(dy, q, k, v, queries, keys, options);
  check_shape("attention: dq", dq, q.extent);
  check_shape("attention: dk", dk, k.extent);
  check_shape("attention: dv", dv, v.extent);
  check_shape("attention: saved weights", cache.weights, {queries.rows * options.heads, keys.longest});
}

}  // namespace gradus
