#pragma once
/// \file
/// The encoder without backward: it needs memory for the caches of one layer, not of all.

#include "03_attention/attend.hpp"
#include "09_transformer/transformer.hpp"

namespace gradus {

/// \defgroup source_encoder source encoder
/// computes  what encode (chapter 09) computes: c.memory(), the encoder's output. Attention is `attend`, which keeps no weights.
/// requires  as encode, without dropout.
/// ensures   the output (N, D) is in dev.kept.
/// saves     nothing. The caches of a layer are given back when the next layer begins.
/// @{
template <class Dev>
void encode_layer(Dev& dev, Residual<Dev>& out, In<Dev, 2> x, const Sequences<Dev>& u,
                  const EncoderLayerParams<Dev>& p, const LayerOptions& o) {
  Scratch<Dev> scope(dev);
  const std::size_t N = x.extent[0], D = x.extent[1];
  const Out<Dev, 2> f = dev.scratch.matrix(N, D), heads = dev.scratch.matrix(N, D);
  const Out<Dev, 2> qkv = dev.scratch.matrix(N, 3 * D);
  linear_forward(dev, qkv, u.rows, qkv_projection(p.self_attention));
  const In<Dev, 2> k = packed_part(qkv, 1, D);
  const Out<Dev, 2> turned = room_for_turned(dev, dev.scratch, N, D);
  turn_keys(dev, turned, k, u.segments);
  attend(dev, heads, {packed_part(qkv, 0, D), k, packed_part(qkv, 2, D), u.segments, u.segments},
         attention_options(o, DropoutSite::self_attention_weights, false), turned);
  linear_forward(dev, f, heads, output_projection(p.self_attention));
  Residual<Dev> r;
  residual_forward(dev, r, x, f, p.self_attention_norm, residual_dropout(o, DropoutSite::after_self_attention));

  FeedForwardCache<Dev> inner;
  feed_forward_forward(dev, f, inner, r.n, p.feed_forward, feed_forward_options(o));
  residual_forward(dev, out, r.stream(o.norm), f, p.feed_forward_norm,
                   residual_dropout(o, DropoutSite::after_feed_forward));
}

template <class Dev>
In<Dev, 2> encode_source(Dev& dev, Ints<Dev, 1> source, const Segments<Dev>& sources,
                         const TransformerParams<Dev>& p, const ModelConfig& config) {
  const StackOptions o = config.encoder();
  const std::size_t N = source.extent[0], D = config.d_model;
  const Out<Dev, 2> x = dev.kept.matrix(N, D), u = dev.kept.matrix(N, D);  // the stream, and the sublayer's input
  embed_forward(dev, x, source, sources, Ints<Dev, 1>{}, p.source_embedding, p.positions,
                embed_options(config, Side::source));
  EncoderCache<Dev> c;
  first_norm_forward(dev, c, x, p.encoder.first_norm, o);
  copy(dev, u, first_input<Dev>(c, x, o));
  for (std::size_t l = 0; l < p.encoder.layers.size(); ++l) {
    const auto before = dev.kept.mark();
    Residual<Dev> r;
    encode_layer(dev, r, x, {u, sources}, p.encoder.layers[l], {o, l});
    copy(dev, x, In<Dev, 2>(r.stream(o.norm)));
    copy(dev, u, In<Dev, 2>(r.n));
    dev.kept.release(before);
  }
  return u;
}
/// @}

}  // namespace gradus
