#pragma once
/// \file
/// What a beam keeps of the words that it has read, and one step of the sublayer that reads them. Self-attention keeps a key and a value
/// of each word, an SSRU its state alone. Sizes: N open beams of A sentences, R rows of the past, D model width.

#include "03_attention/attend.hpp"
#include "09_transformer/transformer.hpp"
#include "11_translator/search/past.hpp"

namespace gradus {

/// Whether a beam keeps a state, which each step replaces, and not a row for each word.
inline bool keeps_state(DecoderUnit unit) { return unit == DecoderUnit::ssru; }

/// Rows and columns of the past of a beam with so many words.
inline std::size_t rows_of_past(DecoderUnit unit, std::size_t words) { return keeps_state(unit) ? 1 : words; }
inline std::size_t width_of_past(DecoderUnit unit, std::size_t D) { return keeps_state(unit) ? D : 2 * D; }

/// One step for all open beams at once. Row n is beam n; the beams of a sentence are neighbours.
template <class Space>
struct BasicDecodingStep {
  View<const std::int32_t, 1, Space> ids;       ///< (N) the last word of each beam
  View<const std::int32_t, 1, Space> position;  ///< (N) its position in the sentence
  View<const std::int32_t, 1, Space> at;        ///< (N) the past row that the word gets; -1: finished
  /// What is copied first. Keys and values: past rows, for beams that branch. States: from the past row of the beam
  /// that it continues to row n, unless the word is the first one.
  View<const std::int32_t, 1, Space> from, to;
  BasicSegments<Space> rows;     ///< (N) queries of self-attention: one row for each beam
  BasicSegments<Space> past;     ///< (N) its keys: the past rows of that beam; none for states
  BasicSegments<Space> beams;    ///< (A) queries of cross-attention: all beams of a sentence
  BasicSegments<Space> sources;  ///< (A) its keys: the source rows of that sentence
};
template <class Dev>
using DecodingStep = BasicDecodingStep<typename Dev::Space>;

/// \defgroup beam_past beam past
/// computes  for each beam the last row of what earlier_words_forward (chapter 08) gives for all its rows.
/// requires  u, f (N, D); past (R, 2 D) with k | v of the words before, or (R, D) with states; the parameters of
///           such a sublayer.
/// ensures   f is overwritten, and the row of each beam in `at`.
/// saves     nothing else; decoding has no backward.
/// @{
template <class Dev>
void self_attention_step(Dev& dev, Out<Dev, 2> f, Out<Dev, 2> past, In<Dev, 2> u, const DecodingStep<Dev>& step,
                         const AttentionParams<Dev>& p, const AttentionOptions& options) {
  Scratch<Dev> scope(dev);
  const auto [N, D] = u.extent;
  const Out<Dev, 2> heads = dev.scratch.matrix(N, D), qkv = dev.scratch.matrix(N, 3 * D);
  linear_forward(dev, qkv, u, qkv_projection(p));
  past_append(dev, past, columns(qkv, D, 2 * D), step.at);
  attend(dev, heads,
         {packed_part(qkv, 0, D), packed_part(past, 0, D), packed_part(past, 1, D), step.rows, step.past}, options);
  linear_forward(dev, f, heads, output_projection(p));
}

template <class Dev>
void ssru_step(Dev& dev, Out<Dev, 2> f, Out<Dev, 2> states, In<Dev, 2> u, const DecodingStep<Dev>& step,
               const SsruParams<Dev>& p) {
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> state = dev.scratch.matrix(u.extent[0], u.extent[1]);
  fill(dev, state, 0);
  past_select(dev, state, states, step.from, step.to);
  SsruSublayerCache<Dev> c;
  ssru_sublayer_forward(dev, f, state, c, {u, step.rows}, state, p);
  past_append(dev, states, state, step.at);
}

template <class Dev>
void earlier_words_step(Dev& dev, Out<Dev, 2> f, Out<Dev, 2> past, In<Dev, 2> u, const DecodingStep<Dev>& step,
                        const DecoderLayerParams<Dev>& p, const LayerOptions& o) {
  switch (o.decoder_unit) {
    case DecoderUnit::attention:
      return self_attention_step(dev, f, past, u, step, p.self_attention,
                                 attention_options(o, DropoutSite::self_attention_weights, true));
    case DecoderUnit::ssru:
      return ssru_step(dev, f, past, u, step, p.ssru);
  }
}
/// @}

}  // namespace gradus
