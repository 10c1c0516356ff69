#pragma once
/// \file
/// The encoder without backward: it needs memory for the caches of one layer, not of all.

#include "09_transformer/transformer.hpp"

namespace gradus {

/// computes  what encode (chapter 09) computes: c.memory(), the encoder's output, to the bit.
/// requires  as encode.
/// ensures   the output (N, D) is in dev.kept.
/// saves     nothing. The caches of a layer are given back when the next layer begins.
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
    EncoderLayerCache<Dev> layer;
    encoder_layer_forward(dev, layer, x, {u, sources}, p.encoder.layers[l], {o, l});
    copy(dev, x, In<Dev, 2>(layer.after_feed_forward.stream(o.norm)));
    copy(dev, u, In<Dev, 2>(layer.after_feed_forward.n));
    dev.kept.release(before);
  }
  return u;
}

}  // namespace gradus
