#pragma once
/// \file
/// Wrong encoders, and wrong ways of stacking sublayers.

#include <algorithm>

#include "07_encoder/encoder.hpp"

namespace gradus::wrong {

/// Builds one layer and runs it L times: the deeper layers' parameters exist and are never used.
/// twin: layers-shared 07_encoder tutorial golden parity dual-numbers -finite-differences
/// twin: layers-shared 09_transformer tutorial golden parity dual-numbers
template <class Base>
struct LayersShared : Base {
  static inline int calls = 0;
};
template <class Base>
EncoderParams<Base> first_layer_everywhere(const EncoderParams<Base>& p) {
  EncoderParams<Base> q = p;
  for (auto& layer : q.layers) layer = p.layers[0];
  return q;
}
template <class Base>
void encoder_forward(LayersShared<Base>& dev, EncoderCache<Base>& c, const Sequences<Base>& x,
                     const EncoderParams<Base>& p, const StackOptions& o) {
  ++dev.calls;
  gradus::encoder_forward(static_cast<Base&>(dev), c, x, first_layer_everywhere<Base>(p), o);
}
template <class Base>
void encoder_backward(LayersShared<Base>& dev, Out<Base, 2> dx, Acc<Base, 2> dn, const EncoderParams<Base>& dp,
                      const Sequences<Base>& x, const EncoderCache<Base>& c, const EncoderParams<Base>& p,
                      const StackOptions& o) {
  gradus::encoder_backward(static_cast<Base&>(dev), dx, dn, first_layer_everywhere<Base>(dp), x, c,
                           first_layer_everywhere<Base>(p), o);
}

/// Returns the output of the last layer but one.
/// twin: output-of-wrong-layer 07_encoder own golden parity -dual-numbers finite-differences
template <class Base>
struct OutputOfWrongLayer : Base {
  static inline int calls = 0;
};
template <class Base>
void encoder_forward(OutputOfWrongLayer<Base>& dev, EncoderCache<Base>& c, const Sequences<Base>& x,
                     const EncoderParams<Base>& p, const StackOptions& o) {
  ++dev.calls;
  gradus::encoder_forward(static_cast<Base&>(dev), c, x, p, o);
  c.output = c.layers[c.layers.size() - 2].after_feed_forward.n;
}

/// With pre-norm, returns the stream itself, without the final norm.
/// twin: final-norm-missing 07_encoder own golden parity -dual-numbers finite-differences
template <class Base>
struct FinalNormMissing : Base {
  static inline int calls = 0;
};
template <class Base>
void encoder_forward(FinalNormMissing<Base>& dev, EncoderCache<Base>& c, const Sequences<Base>& x,
                     const EncoderParams<Base>& p, const StackOptions& o) {
  ++dev.calls;
  gradus::encoder_forward(static_cast<Base&>(dev), c, x, p, o);
  c.output = c.layers.back().after_feed_forward.s;
}

/// Claims to be pre-norm and computes post-norm, in forward and backward: the first norm is never used.
/// twin: other-placement 07_encoder tutorial golden parity dual-numbers -finite-differences
template <class Base>
struct OtherPlacement : Base {
  static inline int calls = 0;
};
inline StackOptions as_post(StackOptions o) {
  o.norm = Norm::post;
  return o;
}
template <class Base>
void encoder_forward(OtherPlacement<Base>& dev, EncoderCache<Base>& c, const Sequences<Base>& x,
                     const EncoderParams<Base>& p, const StackOptions& o) {
  ++dev.calls;
  gradus::encoder_forward(static_cast<Base&>(dev), c, x, p, as_post(o));
}
template <class Base>
void encoder_backward(OtherPlacement<Base>& dev, Out<Base, 2> dx, Acc<Base, 2> dn, const EncoderParams<Base>& dp,
                      const Sequences<Base>& x, const EncoderCache<Base>& c, const EncoderParams<Base>& p,
                      const StackOptions& o) {
  gradus::encoder_backward(static_cast<Base&>(dev), dx, dn, dp, x, c, p, as_post(o));
}

/// With pre-norm, adds a sublayer's output to the normalised tensor that the sublayer read, not to the stream.
/// twin: stream-after-norm 07_encoder elsewhere golden parity dual-numbers finite-differences
template <class Base>
struct StreamAfterNorm : Base {
  static inline int calls = 0;
};
template <class Base>
void encoder_layer_forward(StreamAfterNorm<Base>& dev, EncoderLayerCache<Base>& c, In<Base, 2>,
                           const Sequences<Base>& u, const EncoderLayerParams<Base>& p, const LayerOptions& o) {
  ++dev.calls;
  gradus::encoder_layer_forward(static_cast<Base&>(dev), c, u.rows, u, p, o);
}

/// Every layer draws the masks of the first one.
/// twin: dropout-sites-shared 07_encoder own golden parity dual-numbers -finite-differences
template <class Base>
struct SitesShared : Base {
  static inline int calls = 0;
};
inline LayerOptions as_first(LayerOptions o) {
  o.layer = 0;
  return o;
}
template <class Base>
void encoder_layer_forward(SitesShared<Base>& dev, EncoderLayerCache<Base>& c, In<Base, 2> x,
                           const Sequences<Base>& u, const EncoderLayerParams<Base>& p, const LayerOptions& o) {
  ++dev.calls;
  gradus::encoder_layer_forward(static_cast<Base&>(dev), c, x, u, p, as_first(o));
}
template <class Base>
void encoder_layer_backward(SitesShared<Base>& dev, Acc<Base, 2> dx, Acc<Base, 2> dn,
                            const EncoderLayerParams<Base>& dp, const Sequences<Base>& u,
                            const EncoderLayerCache<Base>& c, const EncoderLayerParams<Base>& p,
                            const LayerOptions& o) {
  gradus::encoder_layer_backward(static_cast<Base&>(dev), dx, dn, dp, u, c, p, as_first(o));
}

/// With post-norm, ignores the fork of the stream: one of its two gradients is lost.
/// twin: fork-forgotten 07_encoder own golden parity dual-numbers finite-differences
template <class Base>
struct ForkForgotten : Base {
  static inline int calls = 0;
};
template <class Base>
void join_fork(ForkForgotten<Base>& dev, Acc<Base, 2> dx, Acc<Base, 2>, Norm) {
  ++dev.calls;
  fill(dev, dx, 0);
}

/// The padding mask on the query axis: every query sees as many keys as the longest sentence has, so it sees keys
/// after its own sentence.
/// twin: mask-on-queries 07_encoder tutorial golden parity
/// twin: mask-on-queries 08_decoder tutorial golden parity
/// twin: mask-on-queries 09_transformer tutorial golden parity
template <class Base>
struct MaskOnQueries : Base {
  static inline int calls = 0;
};
template <class Base>
void attention_forward(MaskOnQueries<Base>& dev, Out<Base, 2> y, AttentionCache<Base>& cache,
                       const AttentionInput<Base>& x, const AttentionOptions& options) {
  ++dev.calls;
  const Segments<Base>& keys = x.keys;
  const auto length = dev.kept.ints(keys.sentences());
  for (std::size_t i = 0; i < keys.sentences(); ++i) {
    length[i] = static_cast<std::int32_t>(keys.rows) - keys.begin[i];
    length[i] = std::min(length[i], static_cast<std::int32_t>(keys.longest));
  }
  AttentionInput<Base> padded = x;
  padded.keys.length = length;
  gradus::attention_forward(static_cast<Base&>(dev), y, cache, padded, options);
}

}  // namespace gradus::wrong
