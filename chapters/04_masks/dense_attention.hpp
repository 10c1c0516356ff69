#pragma once
/// \file
/// Attention as it is usually taught: on a padded batch, with a mask. The same numbers as chapter 03's, for the words
/// that are there. Sizes: B sentences, T queries, S keys, H heads of width Dk, D = H Dk.

#include <cmath>

#include "04_masks/dense.hpp"
#include "04_masks/dense_dropout.hpp"
#include "04_masks/masked_softmax.hpp"
#include "gradus/device/device.hpp"
#include "gradus/ops/gemm.hpp"

namespace gradus {

struct DenseAttentionOptions {
  std::size_t heads = 1;
  Dropout dropout;
};

template <class Real, class Space>
struct BasicDenseAttentionCache {
  View<Real, 4, Space> weights;  ///< (B, H, T, S): p
  View<Real, 4, Space> dropped;  ///< (B, H, T, S): m p
};
template <class Dev>
using DenseAttentionCache = BasicDenseAttentionCache<typename Dev::Real, typename Dev::Space>;

template <class Dev>
void check_dense_attention(In<Dev, 3> y, In<Dev, 3> q, In<Dev, 3> k, In<Dev, 3> v, std::size_t heads) {
  check_shape("dense_attention: y", y, q.extent);
  check_shape("dense_attention: v", v, k.extent);
  check_shape("dense_attention: k", k, {q.extent[0], k.extent[1], q.extent[2]});
  if (heads == 0 || q.extent[2] % heads != 0) {
    fail("dense_attention: " + std::to_string(heads) + " heads do not divide a width of " +
         std::to_string(q.extent[2]));
  }
}

/// Calls f(b, h) for every head of every sentence.
template <class F>
void each_head(std::size_t B, std::size_t H, F&& f) {
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < H; ++h) f(b, h);
  }
}

/// \defgroup dense_attention dense attention
/// computes  y = dropout(masked_softmax(q k^T / sqrt(Dk))) v for each head                    (eq:3.1 to eq:3.3)
///           and backward                                                                     (eq:3.4 to eq:3.8)
/// requires  q, y, dq, dy (B, T, D), k, v, dk, dv (B, S, D), mask (B, T, S); H divides D, else Error; `packing` the
///           rows that chapter 03 would give these words, which dropout draws by.
/// ensures   y, dq, dk and dv are overwritten.
/// saves     the weights before and after dropout: B H T S numbers twice, padding counted.
/// @{
template <class Dev>
void dense_attention_forward(Dev& dev, Out<Dev, 3> y, DenseAttentionCache<Dev>& cache, In<Dev, 3> q, In<Dev, 3> k,
                             In<Dev, 3> v, Ints<Dev, 3> mask, const Packing<Dev>& packing,
                             const DenseAttentionOptions& options) {
  check_dense_attention<Dev>(y, q, k, v, options.heads);
  const auto [B, T, D] = q.extent;
  const std::size_t S = k.extent[1], H = options.heads, Dk = D / H, n = B * H * T * S;
  const double scale = 1 / std::sqrt(static_cast<double>(Dk));
  cache.weights = as_scores(dev.kept.vector(n), B, H, T, S);
  cache.dropped = as_scores(dev.kept.vector(n), B, H, T, S);
  each_head(B, H, [&](std::size_t b, std::size_t h) {
    gemm(dev, scores_of(cache.weights, b, h), head_of(q, b, h, H), transposed(head_of(k, b, h, H)), scale);
  });
  masked_softmax_forward(dev, cache.weights, cache.weights, mask);  // in place of the scores
  dense_dropout_forward(dev, cache.dropped, cache.weights, packing, options.dropout);
  each_head(B, H, [&](std::size_t b, std::size_t h) {
    gemm(dev, head_of(y, b, h, H), scores_of(cache.dropped, b, h), head_of(v, b, h, H));
  });
}

template <class Dev>
void dense_attention_backward(Dev& dev, Out<Dev, 3> dq, Out<Dev, 3> dk, Out<Dev, 3> dv, In<Dev, 3> dy, In<Dev, 3> q,
                              In<Dev, 3> k, In<Dev, 3> v, const Packing<Dev>& packing,
                              const DenseAttentionCache<Dev>& cache, const DenseAttentionOptions& options) {
  check_dense_attention<Dev>(dy, q, k, v, options.heads);
  check_shape("dense_attention: dq", dq, q.extent);
  check_shape("dense_attention: dk", dk, k.extent);
  check_shape("dense_attention: dv", dv, v.extent);
  const auto [B, T, D] = q.extent;
  const std::size_t S = k.extent[1], H = options.heads, Dk = D / H;
  const double scale = 1 / std::sqrt(static_cast<double>(Dk));
  Scratch<Dev> scope(dev);
  const auto ds = as_scores(dev.scratch.vector(B * H * T * S), B, H, T, S);
  each_head(B, H, [&](std::size_t b, std::size_t h) {
    gemm(dev, head_of(dv, b, h, H), transposed(scores_of(cache.dropped, b, h)), head_of(dy, b, h, H));
    gemm(dev, scores_of(ds, b, h), head_of(dy, b, h, H), transposed(head_of(v, b, h, H)));
  });
  dense_dropout_backward(dev, ds, ds, packing, options.dropout);
  masked_softmax_backward(dev, ds, ds, cache.weights);
  each_head(B, H, [&](std::size_t b, std::size_t h) {
    gemm(dev, head_of(dq, b, h, H), scores_of(ds, b, h), head_of(k, b, h, H), scale);
    gemm(dev, head_of(dk, b, h, H), transposed(scores_of(ds, b, h)), head_of(q, b, h, H), scale);
  });
}
/// @}

}  // namespace gradus
