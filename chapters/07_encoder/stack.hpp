#pragma once
/// \file
/// The common part of encoder and decoder: the options of a stack of layers, and the residual stream that runs
/// through it. Sizes: N rows, D model width, H heads, F inner width, L layers.

#include "03_attention/multi_head_attention.hpp"
#include "05_layer_norm/add_norm.hpp"
#include "06_feed_forward/linear_activation.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

/// The sublayer of a decoder layer that reads the words before.
enum class DecoderUnit {
  attention,  ///< causal self-attention, chapter 03
  ssru        ///< a state that runs along the sentence, chapter 12
};

template <>
struct Names<DecoderUnit> {
  static constexpr const char* noun = "decoder";
  static constexpr Name<DecoderUnit> table[] = {{DecoderUnit::attention, "attention"}, {DecoderUnit::ssru, "ssru"}};
};

/// The options that all layers of a stack share.
struct StackOptions {
  std::size_t layers = 1;   ///< L
  std::size_t d_model = 0;  ///< D
  std::size_t heads = 1;    ///< H, divides D
  std::size_t ffn = 0;      ///< F
  Norm norm = Norm::pre;
  NormForm norm_form = NormForm::layer;
  double norm_epsilon = layer_norm_epsilon;
  Activation activation = Activation::relu;
  DecoderUnit decoder_unit = DecoderUnit::attention;  ///< of a decoder; an encoder has self-attention
  AttentionBias attention_bias;
  double attention_rate = 0;    ///< dropout on attention weights
  double activation_rate = 0;   ///< dropout after the activation of the feed-forward network
  double residual_rate = 0;     ///< dropout on the output of a sublayer
  Side side = Side::source;     ///< the rows are source or target tokens
  std::size_t first_layer = 1;  ///< number of the first layer among all layers of the model, for dropout sites
};

/// The options of one layer of a stack.
struct LayerOptions : StackOptions {
  std::size_t layer = 0;  ///< place of the layer in the stack: 0 .. L - 1
};

/// The places of dropout. Every layer draws its own masks: site = 16 x layer + place, where layer 0 has the
/// embeddings. Chapter 00 has the table.
enum class DropoutSite : std::uint32_t {
  source_embedding,
  target_embedding,
  self_attention_weights,
  after_self_attention,
  cross_attention_weights,
  after_cross_attention,
  after_activation,
  after_feed_forward
};

constexpr std::uint32_t dropout_site(std::size_t layer, DropoutSite site) {
  return 16 * static_cast<std::uint32_t>(layer) + static_cast<std::uint32_t>(site);
}

/// The options of a layer's leaves.
inline Dropout layer_dropout(const LayerOptions& o, double rate, DropoutSite site) {
  return {rate, dropout_site(o.first_layer + o.layer, site), o.side};
}
inline Dropout residual_dropout(const LayerOptions& o, DropoutSite site) {
  return layer_dropout(o, o.residual_rate, site);
}
inline AttentionOptions attention_options(const LayerOptions& o, DropoutSite site, bool causal) {
  return {o.heads, causal, layer_dropout(o, o.attention_rate, site)};
}
inline LinearActivationOptions feed_forward_options(const LayerOptions& o) {
  return {o.activation, layer_dropout(o, o.activation_rate, DropoutSite::after_activation)};
}

/// The outputs of "Add & Norm" after a sublayer.
template <class Real, class Space>
struct BasicResidual {
  View<Real, 2, Space> s;             ///< (N, D): the stream plus the output of the sublayer
  View<Real, 2, Space> n;             ///< (N, D): s normalised
  BasicNormCache<Real, Space> cache;  ///< of the norm

  /// The residual stream for the next sublayer, which always reads n. With pre-norm the stream
  /// is never normalised; with post-norm stream and n are the same tensor.            (eq:7.2)
  View<Real, 2, Space> stream(Norm norm) const { return norm == Norm::pre ? s : n; }
};
template <class Dev>
using Residual = BasicResidual<typename Dev::Real, typename Dev::Space>;

/// s = x + dropout(f) and n = norm(s), kept for backward.                                                  (eq:7.1)
template <class Dev>
void residual_forward(Dev& dev, Residual<Dev>& r, In<Dev, 2> x, In<Dev, 2> f, const NormParams<Dev>& p,
                      const Dropout& dropout) {
  r.s = dev.kept.matrix(x.extent[0], x.extent[1]);
  r.n = dev.kept.matrix(x.extent[0], x.extent[1]);
  add_norm_forward(dev, r.s, r.n, r.cache, x, f, p, dropout);
}

/// After the backward of a sublayer: dx is the gradient of the stream, dn that of the sublayer's input. With
/// post-norm these are one tensor with two readers: dn becomes the sum, and dx becomes 0. (rule R4, eq:7.5)
template <class Dev>
void join_fork(Dev& dev, Acc<Dev, 2> dx, Acc<Dev, 2> dn, Norm norm) {
  if (norm == Norm::pre) return;
  add(dev, dn, dx);
  fill(dev, dx, 0);
}

/// The input of the first sublayer of a stack.
template <class Dev, class Cache>
In<Dev, 2> first_input(const Cache& c, In<Dev, 2> x, const StackOptions& o) {
  return o.norm == Norm::pre ? In<Dev, 2>(c.first) : x;
}

/// The start of a stack: u = norm(x) with pre-norm, because its sublayers read normalised rows; u = x with
/// post-norm. (eq:7.3)
template <class Dev, class Cache>
void first_norm_forward(Dev& dev, Cache& c, In<Dev, 2> x, const NormParams<Dev>& p, const StackOptions& o) {
  if (o.norm == Norm::post) return;
  c.first = dev.kept.matrix(x.extent[0], x.extent[1]);
  norm_forward(dev, c.first, c.first_norm, x, p);
}

/// Its backward: adds dn, the gradient of u, through the norm to dx, the gradient of the stream. With post-norm the
/// last join_fork has set dx to 0, and dn is the whole gradient. (eq:7.6)
template <class Dev, class Cache>
void first_norm_backward(Dev& dev, Acc<Dev, 2> dx, Acc<Dev, 2> dn, const NormParams<Dev>& dp, In<Dev, 2> x,
                         const Cache& c, const NormParams<Dev>& p, const StackOptions& o) {
  if (o.norm == Norm::post) return add(dev, dx, dn);
  join_norm_backward(dev, dx, dn, dp, x, c.first_norm, p);
}

}  // namespace gradus
