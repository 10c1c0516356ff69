#pragma once
/// \file
/// The decoder, one word at a time. What it keeps of earlier words is not computed again.
/// Sizes: N open beams of A sentences, Ns source rows, R rows of the past, D model width.

#include "11_translator/search/beam_past.hpp"

namespace gradus {

/// What is kept of the sentences in translation, for each layer. The caller owns the memory, sized by capacity.
template <class Real, class Space>
struct BasicDecoderMemory {
  std::vector<View<Real, 2, Space>> source;  ///< (Ns, 2 D): k | v of the encoder's output, computed once
  std::vector<View<Real, 2, Space>> past;    ///< (R, 2 D): k | v of the words so far; or (R, D): states
  std::vector<View<Real, 2, Space>> turned;  ///< (Ns, D): room_for_turned for the keys of `source`; or none
};
template <class Dev>
using DecoderMemory = BasicDecoderMemory<typename Dev::Real, typename Dev::Space>;

/// The same memory with these source rows only.
template <class Real, class Space>
BasicDecoderMemory<Real, Space> source_rows(BasicDecoderMemory<Real, Space> m, std::size_t first,
                                            std::size_t count) {
  for (auto* const tables : {&m.source, &m.turned}) {
    for (auto& table : *tables) table = rows(table, first, count);
  }
  return m;
}

/// Computes what all steps share: keys and values of the encoder's output, in every layer.
template <class Dev>
void remember_source(Dev& dev, const DecoderMemory<Dev>& m, In<Dev, 2> memory, const DecoderParams<Dev>& p) {
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    linear_forward(dev, m.source[l], memory, kv_projection(p.layers[l].cross_attention));
  }
}

/// The keys of m.source once more, in m.turned: every step reads them.
template <class Dev>
void turn_sources(Dev& dev, const DecoderMemory<Dev>& m, const Segments<Dev>& sources) {
  for (std::size_t l = 0; l < m.turned.size(); ++l) {
    turn_keys(dev, m.turned[l], packed_part(In<Dev, 2>(m.source[l]), 0, m.source[l].extent[1] / 2), sources);
  }
}

/// \defgroup decoder_step decoder_step
/// computes  for each beam the last row of the result of decoder_forward (chapter 08) on all its rows. Earlier rows do
///           not change, because no row reads a later one, so only what beam_past.hpp keeps of them is read.
/// requires  x, u (N, D) as decoder_layer says; m.source from remember_source; m.turned is empty or from turn_sources; m.past
///           with what is kept of the earlier words; each past segment ends with the row in `at`.
/// ensures   each past has the word too; the output is in dev.kept.
/// saves     nothing else; decoding has no backward.
/// @{
template <class Dev>
void decoder_layer_step(Dev& dev, Residual<Dev>& out, Out<Dev, 2> past, In<Dev, 2> source, In<Dev, 2> turned,
                        In<Dev, 2> x, In<Dev, 2> u, const DecodingStep<Dev>& step, const DecoderLayerParams<Dev>& p,
                        const LayerOptions& o) {
  Scratch<Dev> scope(dev);
  const std::size_t N = x.extent[0], D = x.extent[1];
  const Out<Dev, 2> f = dev.scratch.matrix(N, D);
  earlier_words_step(dev, f, past, u, step, p, o);
  Residual<Dev> r1, r2;
  residual_forward(dev, r1, x, f, p.self_attention_norm, residual_dropout(o, DropoutSite::after_self_attention));

  const Out<Dev, 2> q = dev.scratch.matrix(N, D), heads = dev.scratch.matrix(N, D);
  linear_forward(dev, q, r1.n, q_projection(p.cross_attention));
  attend(dev, heads, {q, packed_part(source, 0, D), packed_part(source, 1, D), step.beams, step.sources},
         attention_options(o, DropoutSite::cross_attention_weights, false), turned);
  linear_forward(dev, f, heads, output_projection(p.cross_attention));
  residual_forward(dev, r2, r1.stream(o.norm), f, p.cross_attention_norm,
                   residual_dropout(o, DropoutSite::after_cross_attention));

  FeedForwardCache<Dev> inner;
  feed_forward_forward(dev, f, inner, r2.n, p.feed_forward, feed_forward_options(o));
  residual_forward(dev, out, r2.stream(o.norm), f, p.feed_forward_norm,
                   residual_dropout(o, DropoutSite::after_feed_forward));
}

/// The decoder's output (N, D), one row for the next word of each beam.
template <class Dev>
In<Dev, 2> decoder_step(Dev& dev, const DecoderMemory<Dev>& m, const DecodingStep<Dev>& step,
                        const TransformerParams<Dev>& p, const ModelConfig& config) {
  const StackOptions o = config.decoder();
  if (!keeps_state(o.decoder_unit)) {
    for (const Out<Dev, 2>& past : m.past) past_select(dev, past, past, step.from, step.to);
  }

  BasicDecoderCache<typename Dev::Real, typename Dev::Space> c;
  const Out<Dev, 2> x = dev.kept.matrix(step.ids.extent[0], config.d_model);  // (N, D)
  embed_forward(dev, x, step.ids, step.rows, step.position, p.target_embedding, p.positions,
                embed_options(config, Side::target));
  first_norm_forward(dev, c, x, p.decoder.first_norm, o);
  In<Dev, 2> stream = x, u = first_input<Dev>(c, x, o);
  for (std::size_t l = 0; l < p.decoder.layers.size(); ++l) {
    Residual<Dev> r;
    const In<Dev, 2> turned = m.turned.empty() ? In<Dev, 2>{} : In<Dev, 2>(m.turned[l]);
    decoder_layer_step(dev, r, m.past[l], m.source[l], turned, stream, u, step, p.decoder.layers[l], {o, l});
    stream = r.stream(o.norm);
    u = r.n;
  }
  return u;
}
/// @}

}  // namespace gradus
