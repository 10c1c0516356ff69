#pragma once
/// \file
/// One layer of the encoder: self-attention within each sentence, then the feed-forward network for each token.

#include "03_attention/multi_head_attention.hpp"
#include "06_feed_forward/feed_forward.hpp"
#include "07_encoder/stack.hpp"

namespace gradus {

/// Each sublayer has the norm that follows it.
template <class Real, class Space>
struct BasicEncoderLayerParams {
  BasicAttentionParams<Real, Space> self_attention;
  BasicNormParams<Real, Space> self_attention_norm;
  BasicFeedForwardParams<Real, Space> feed_forward;
  BasicNormParams<Real, Space> feed_forward_norm;
};
template <class Dev>
using EncoderLayerParams = BasicEncoderLayerParams<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicEncoderLayerCache {
  BasicSelfAttentionCache<Real, Space> self_attention;
  BasicResidual<Real, Space> after_self_attention;
  BasicFeedForwardCache<Real, Space> feed_forward;
  BasicResidual<Real, Space> after_feed_forward;
};
template <class Dev>
using EncoderLayerCache = BasicEncoderLayerCache<typename Dev::Real, typename Dev::Space>;

/// The parameters `name`.self_attention.wqkv and so on.
template <class Dev>
EncoderLayerParams<Dev> encoder_layer_params(Binder<Dev>& bind, const std::string& name, const StackOptions& o) {
  return {attention_params(bind, name + ".self_attention", o.d_model, o.attention_bias),
          norm_params(bind, name + ".self_attention_norm", o.d_model, o.norm_form, o.norm_epsilon),
          feed_forward_params(bind, name + ".feed_forward", o.d_model, o.ffn),
          norm_params(bind, name + ".feed_forward_norm", o.d_model, o.norm_form, o.norm_epsilon)};
}

/// \defgroup encoder_layer encoder_layer
/// computes  two sublayers, f = self_attention(u) and f = feed_forward(u), each followed by
///             s = x + dropout(f),  n = norm(s)                                                      (eq:7.1)
///           where x is the residual stream and u the input of the sublayer. The next sublayer gets x, u = s, n
///           with pre-norm, n, n with post-norm (eq:7.2). Vaswani et al. 2017, section 3.1, is post-norm.
/// requires  x and the rows of u (N, D); with post-norm u is x.
/// ensures   c.after_feed_forward holds the outputs s and n. Backward works in place: at entry dx is the gradient
///           of s through the stream, and dn that of n; at exit they are those of x and u. With post-norm dx is 0
///           at entry and at exit. dp is added to.                                            (eq:7.4, eq:7.5)
/// saves     the caches of its leaves, and s and n of both sublayers.
/// @{
template <class Dev>
void encoder_layer_forward(Dev& dev, EncoderLayerCache<Dev>& c, In<Dev, 2> x, const Sequences<Dev>& u,
                           const EncoderLayerParams<Dev>& p, const LayerOptions& o) {
  // exercise: begin
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> f = dev.scratch.matrix(x.extent[0], x.extent[1]);  // (N, D), the output of a sublayer
  self_attention_forward(dev, f, c.self_attention, u, p.self_attention,
                         attention_options(o, DropoutSite::self_attention_weights, false));
  residual_forward(dev, c.after_self_attention, x, f, p.self_attention_norm,
                   residual_dropout(o, DropoutSite::after_self_attention));

  const Residual<Dev>& r = c.after_self_attention;
  feed_forward_forward(dev, f, c.feed_forward, r.n, p.feed_forward, feed_forward_options(o));
  residual_forward(dev, c.after_feed_forward, r.stream(o.norm), f, p.feed_forward_norm,
                   residual_dropout(o, DropoutSite::after_feed_forward));
  // exercise: end
}

template <class Dev>
void encoder_layer_backward(Dev& dev, Acc<Dev, 2> dx, Acc<Dev, 2> dn, const EncoderLayerParams<Dev>& dp,
                            const Sequences<Dev>& u, const EncoderLayerCache<Dev>& c,
                            const EncoderLayerParams<Dev>& p, const LayerOptions& o) {
  // exercise: begin
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> df = dev.scratch.matrix(dx.extent[0], dx.extent[1]);  // (N, D)
  const Residual<Dev>&r1 = c.after_self_attention, &r2 = c.after_feed_forward;
  add_norm_backward(dev, dx, df, dp.feed_forward_norm, dn, r2.s, r2.cache, p.feed_forward_norm,
                    residual_dropout(o, DropoutSite::after_feed_forward));  // eq:7.4
  feed_forward_backward(dev, dn, dp.feed_forward, df, r1.n, c.feed_forward, p.feed_forward,
                        feed_forward_options(o));
  join_fork(dev, dx, dn, o.norm);

  add_norm_backward(dev, dx, df, dp.self_attention_norm, dn, r1.s, r1.cache, p.self_attention_norm,
                    residual_dropout(o, DropoutSite::after_self_attention));
  self_attention_backward(dev, dn, dp.self_attention, df, u, c.self_attention, p.self_attention,
                          attention_options(o, DropoutSite::self_attention_weights, false));
  join_fork(dev, dx, dn, o.norm);
  // exercise: end
}
/// @}

}  // namespace gradus
