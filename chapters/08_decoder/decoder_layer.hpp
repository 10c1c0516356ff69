#pragma once
/// \file
/// One layer of the decoder: causal self-attention or an SSRU, cross-attention to the source, then the feed-forward network.
/// Sizes: Nt target rows, Ns source rows.

#include <string>

#include "07_encoder/encoder_layer.hpp"
#include "12_ssru/ssru_sublayer.hpp"

namespace gradus {

/// As in the encoder, each sublayer has the norm that follows it.
template <class Real, class Space>
struct BasicDecoderLayerParams {
  BasicAttentionParams<Real, Space> self_attention;  ///< or absent, if the layer has an SSRU
  BasicSsruParams<Real, Space> ssru;                 ///< absent, unless it has
  BasicNormParams<Real, Space> self_attention_norm;  ///< after either
  BasicAttentionParams<Real, Space> cross_attention;
  BasicNormParams<Real, Space> cross_attention_norm;
  BasicFeedForwardParams<Real, Space> feed_forward;
  BasicNormParams<Real, Space> feed_forward_norm;
};
template <class Dev>
using DecoderLayerParams = BasicDecoderLayerParams<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicDecoderLayerCache {
  BasicSelfAttentionCache<Real, Space> self_attention;
  BasicSsruSublayerCache<Real, Space> ssru;
  BasicResidual<Real, Space> after_self_attention;
  BasicCrossAttentionCache<Real, Space> cross_attention;
  BasicResidual<Real, Space> after_cross_attention;
  BasicFeedForwardCache<Real, Space> feed_forward;
  BasicResidual<Real, Space> after_feed_forward;
};
template <class Dev>
using DecoderLayerCache = BasicDecoderLayerCache<typename Dev::Real, typename Dev::Space>;

/// The parameters of the sublayer that reads the words before, and of its norm: `name`.self_attention.wqkv and so on, or
/// `name`.ssru.input.w and so on.
template <class Dev>
void earlier_words_params(Binder<Dev>& bind, DecoderLayerParams<Dev>& p, const std::string& name,
                          const StackOptions& o) {
  std::string own = name;
  switch (o.decoder_unit) {
    case DecoderUnit::attention:
      p.self_attention = attention_params(bind, own += ".self_attention", o.d_model, o.attention_bias);
      break;
    case DecoderUnit::ssru:
      p.ssru = ssru_params(bind, own += ".ssru", o.d_model);
      break;
  }
  p.self_attention_norm = norm_params(bind, own + "_norm", o.d_model, o.norm_form, o.norm_epsilon);
}

/// The parameters `name`.self_attention.wqkv, `name`.cross_attention.wqkv and so on.
template <class Dev>
DecoderLayerParams<Dev> decoder_layer_params(Binder<Dev>& bind, const std::string& name, const StackOptions& o) {
  DecoderLayerParams<Dev> p;
  earlier_words_params(bind, p, name, o);
  p.cross_attention = attention_params(bind, name + ".cross_attention", o.d_model, o.attention_bias);
  p.cross_attention_norm =
      norm_params(bind, name + ".cross_attention_norm", o.d_model, o.norm_form, o.norm_epsilon);
  p.feed_forward = feed_forward_params(bind, name + ".feed_forward", o.d_model, o.ffn);
  p.feed_forward_norm = norm_params(bind, name + ".feed_forward_norm", o.d_model, o.norm_form, o.norm_epsilon);
  return p;
}

/// f (Nt, D) is the output of the sublayer that reads the words before: causal self-attention of u (eq:8.1), or an SSRU,
/// whose state before each sentence is 0. Backward: dn (Nt, D) is overwritten with the gradient of the rows of u, dp is
/// added to.
template <class Dev>
void earlier_words_forward(Dev& dev, Out<Dev, 2> f, DecoderLayerCache<Dev>& c, const Sequences<Dev>& u,
                           const DecoderLayerParams<Dev>& p, const LayerOptions& o) {
  switch (o.decoder_unit) {
    case DecoderUnit::attention:
      return self_attention_forward(dev, f, c.self_attention, u, p.self_attention,
                                    attention_options(o, DropoutSite::self_attention_weights, true));  // eq:8.1
    case DecoderUnit::ssru:
      return ssru_sublayer_forward(dev, f, {}, c.ssru, u, {}, p.ssru);
  }
}

template <class Dev>
void earlier_words_backward(Dev& dev, Out<Dev, 2> dn, const DecoderLayerParams<Dev>& dp, In<Dev, 2> df,
                            const Sequences<Dev>& u, const DecoderLayerCache<Dev>& c,
                            const DecoderLayerParams<Dev>& p, const LayerOptions& o) {
  switch (o.decoder_unit) {
    case DecoderUnit::attention:
      return self_attention_backward(dev, dn, dp.self_attention, df, u, c.self_attention, p.self_attention,
                                     attention_options(o, DropoutSite::self_attention_weights, true));
    case DecoderUnit::ssru:
      return ssru_sublayer_backward(dev, dn, {}, dp.ssru, df, {}, u, {}, c.ssru, p.ssru);
  }
}

/// \defgroup decoder_layer decoder_layer
/// computes  three sublayers, f = causal self_attention(u) or ssru_sublayer(u), f = cross_attention(n, memory) and
///           f = feed_forward(n), each followed by s = x + dropout(f), n = norm(s)          (eq:8.1 to eq:8.3)
/// requires  x and the rows of u (Nt, D); the rows of memory (Ns, D); the same number of segments on both sides,
///           of any lengths. With post-norm u is x.
/// ensures   the same as encoder_layer; also, dmemory is added to.                                         (eq:8.4)
/// saves     the caches of its leaves, and s and n of the three sublayers.
/// @{
template <class Dev>
void decoder_layer_forward(Dev& dev, DecoderLayerCache<Dev>& c, In<Dev, 2> x, const Sequences<Dev>& u,
                           const Sequences<Dev>& memory, const DecoderLayerParams<Dev>& p, const LayerOptions& o) {
  // exercise: begin
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> f = dev.scratch.matrix(x.extent[0], x.extent[1]);  // (Nt, D), the output of a sublayer
  earlier_words_forward(dev, f, c, u, p, o);
  residual_forward(dev, c.after_self_attention, x, f, p.self_attention_norm,
                   residual_dropout(o, DropoutSite::after_self_attention));

  const Residual<Dev>& r1 = c.after_self_attention;
  cross_attention_forward(dev, f, c.cross_attention, {r1.n, u.segments}, memory, p.cross_attention,
                          attention_options(o, DropoutSite::cross_attention_weights, false));  // eq:8.2
  residual_forward(dev, c.after_cross_attention, r1.stream(o.norm), f, p.cross_attention_norm,
                   residual_dropout(o, DropoutSite::after_cross_attention));

  const Residual<Dev>& r2 = c.after_cross_attention;
  feed_forward_forward(dev, f, c.feed_forward, r2.n, p.feed_forward, feed_forward_options(o));  // eq:8.3
  residual_forward(dev, c.after_feed_forward, r2.stream(o.norm), f, p.feed_forward_norm,
                   residual_dropout(o, DropoutSite::after_feed_forward));
  // exercise: end
}

template <class Dev>
void decoder_layer_backward(Dev& dev, Acc<Dev, 2> dx, Acc<Dev, 2> dn, Acc<Dev, 2> dmemory,
                            const DecoderLayerParams<Dev>& dp, const Sequences<Dev>& u,
                            const Sequences<Dev>& memory, const DecoderLayerCache<Dev>& c,
                            const DecoderLayerParams<Dev>& p, const LayerOptions& o) {
  // exercise: begin
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> df = dev.scratch.matrix(dx.extent[0], dx.extent[1]);  // (Nt, D)
  const Residual<Dev>&r1 = c.after_self_attention, &r2 = c.after_cross_attention, &r3 = c.after_feed_forward;
  add_norm_backward(dev, dx, df, dp.feed_forward_norm, dn, r3.s, r3.cache, p.feed_forward_norm,
                    residual_dropout(o, DropoutSite::after_feed_forward));
  feed_forward_backward(dev, dn, dp.feed_forward, df, r2.n, c.feed_forward, p.feed_forward,
                        feed_forward_options(o));
  join_fork(dev, dx, dn, o.norm);

  add_norm_backward(dev, dx, df, dp.cross_attention_norm, dn, r2.s, r2.cache, p.cross_attention_norm,
                    residual_dropout(o, DropoutSite::after_cross_attention));
  cross_attention_backward(dev, dn, dmemory, dp.cross_attention, df, {r1.n, u.segments}, memory, c.cross_attention,
                           p.cross_attention,
                           attention_options(o, DropoutSite::cross_attention_weights, false));  // eq:8.4
  join_fork(dev, dx, dn, o.norm);

  add_norm_backward(dev, dx, df, dp.self_attention_norm, dn, r1.s, r1.cache, p.self_attention_norm,
                    residual_dropout(o, DropoutSite::after_self_attention));
  earlier_words_backward(dev, dn, dp, df, u, c, p, o);
  join_fork(dev, dx, dn, o.norm);
  // exercise: end
}
/// @}

}  // namespace gradus
