#pragma once
/// \file
/// Attention as it is usually taught: on a padded batch, with a mask. For real words it gives the same numbers as
/// chapter 03. Sizes: B sentences, T queries, S keys, H heads of width Dk, D = H Dk.

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

/// The inputs of dense attention.
template <class Real, class Space>
struct BasicDenseAttentionInput {
  View<const Real, 3, Space> q, k, v;       ///< (B, T, D), (B, S, D), (B, S, D)
  View<const std::int32_t, 3, Space> mask;  ///< (B, T, S): 1 where a query sees a key; only forward reads it
  BasicPacking<Space> packing;              ///< the rows of these words in chapter 03, for dropout
};
template <class Dev>
using DenseAttentionInput = BasicDenseAttentionInput<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicDenseAttentionGradients {
  View<Real, 3, Space> q, k, v;
};
template <class Dev>
using DenseAttentionGradients = BasicDenseAttentionGradients<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicDenseAttentionCache {
  View<Real, 4, Space> weights;  ///< (B, H, T, S): p
  View<Real, 4, Space> dropped;  ///< (B, H, T, S): m p
};
template <class Dev>
using DenseAttentionCache = BasicDenseAttentionCache<typename Dev::Real, typename Dev::Space>;

template <class Dev>
void check_dense_attention(In<Dev, 3> y, const DenseAttentionInput<Dev>& x, std::size_t heads) {
  const auto [B, T, D] = x.q.extent;
  check_shape("dense_attention: y", y, {B, T, D});
  check_shape("dense_attention: v", x.v, x.k.extent);
  check_shape("dense_attention: k", x.k, {B, x.k.extent[1], D});
  if (heads == 0 || D % heads != 0) {
    fail("dense_attention: " + std::to_string(heads) + " heads do not divide a width of " + std::to_string(D));
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
///           and backward                                                                     (eq:3.7 to eq:3.11)
/// requires  x as BasicDenseAttentionInput says, dx in the shapes of its q, k and v, y and dy (B, T, D); H divides
///           D, else Error.
/// ensures   y and dx are overwritten.
/// saves     the weights before and after dropout: twice B H T S numbers, padding included.
/// @{
template <class Dev>
void dense_attention_forward(Dev& dev, Out<Dev, 3> y, DenseAttentionCache<Dev>& cache,
                             const DenseAttentionInput<Dev>& x, const DenseAttentionOptions& options) {
  check_dense_attention<Dev>(y, x, options.heads);
  const auto [B, T, D] = x.q.extent;
  const std::size_t S = x.k.extent[1], H = options.heads, Dk = D / H, n = B * H * T * S;
  const double scale = 1 / std::sqrt(static_cast<double>(Dk));
  cache.weights = as_scores(dev.kept.vector(n), B, H, T, S);
  cache.dropped = as_scores(dev.kept.vector(n), B, H, T, S);
  each_head(B, H, [&](std::size_t b, std::size_t h) {
    gemm(dev, scores_of(cache.weights, b, h), head_of(x.q, b, h, H), transposed(head_of(x.k, b, h, H)), scale);
  });
  masked_softmax_forward(dev, cache.weights, cache.weights, x.mask);  // in place of the scores
  dense_dropout_forward(dev, cache.dropped, cache.weights, x.packing, options.dropout);
  each_head(B, H, [&](std::size_t b, std::size_t h) {
    gemm(dev, head_of(y, b, h, H), scores_of(cache.dropped, b, h), head_of(x.v, b, h, H));
  });
}

template <class Dev>
void dense_attention_backward(Dev& dev, const DenseAttentionGradients<Dev>& dx, In<Dev, 3> dy,
                              const DenseAttentionInput<Dev>& x, const DenseAttentionCache<Dev>& cache,
                              const DenseAttentionOptions& options) {
  check_dense_attention<Dev>(dy, x, options.heads);
  check_shape("dense_attention: dq", dx.q, x.q.extent);
  check_shape("dense_attention: dk", dx.k, x.k.extent);
  check_shape("dense_attention: dv", dx.v, x.v.extent);
  const auto [B, T, D] = x.q.extent;
  const std::size_t S = x.k.extent[1], H = options.heads, Dk = D / H;
  const double scale = 1 / std::sqrt(static_cast<double>(Dk));
  Scratch<Dev> scope(dev);
  const auto ds = as_scores(dev.scratch.vector(B * H * T * S), B, H, T, S);
  each_head(B, H, [&](std::size_t b, std::size_t h) {
    gemm(dev, head_of(dx.v, b, h, H), transposed(scores_of(cache.dropped, b, h)), head_of(dy, b, h, H));
    gemm(dev, scores_of(ds, b, h), head_of(dy, b, h, H), transposed(head_of(x.v, b, h, H)));
  });
  dense_dropout_backward(dev, ds, ds, x.packing, options.dropout);
  masked_softmax_backward(dev, ds, ds, cache.weights);
  each_head(B, H, [&](std::size_t b, std::size_t h) {
    gemm(dev, head_of(dx.q, b, h, H), scores_of(ds, b, h), head_of(x.k, b, h, H), scale);
    gemm(dev, head_of(dx.k, b, h, H), transposed(scores_of(ds, b, h)), head_of(x.q, b, h, H), scale);
  });
}
/// @}

}  // namespace gradus
