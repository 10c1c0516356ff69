#pragma once
/// \file
/// The weights of a model that decoding multiplies with, in 8 bits.

#include "09_transformer/transformer.hpp"
#include "gradus/ops/cpu/int8_weights.hpp"

namespace gradus {

/// computes  8-bit copies of all matrices of the encoder, the decoder and the output layer, as the search reads them: of
///           cross-attention the query's part and the rest apart, of the output layer the transposed table. Embeddings, biases
///           and norms stay as they are.
template <class Dev>
void add_int8_weights(Int8Weights& copies, const TransformerParams<Dev>& p) {
  const auto add = [&](const LinearParams<Dev>& map) { copies.add(map.w, false); };
  const auto add_self_attention = [&](const AttentionParams<Dev>& a) {
    add(qkv_projection(a)), add(output_projection(a));
  };
  const auto add_inner = [&](const FeedForwardParams<Dev>& f) { add(f.inner), add(f.outer); };
  for (const EncoderLayerParams<Dev>& layer : p.encoder.layers) {
    add_self_attention(layer.self_attention);
    add_inner(layer.feed_forward);
  }
  for (const DecoderLayerParams<Dev>& layer : p.decoder.layers) {
    if (layer.ssru.input.w) {
      add(layer.ssru.input);
      add(layer.ssru.forget);
    } else {
      add_self_attention(layer.self_attention);
    }
    add(q_projection(layer.cross_attention));
    add(kv_projection(layer.cross_attention));
    add(output_projection(layer.cross_attention));
    add_inner(layer.feed_forward);
  }
  copies.add(p.output.table, true);
}

}  // namespace gradus
