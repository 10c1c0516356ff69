#pragma once
/// \file
/// Wrong encoders, and wrong ways of stacking sublayers.

#include <algorithm>

#include "07_encoder/encoder.hpp"

namespace gradus::wrong {

/// Builds one layer and runs it L times: the deeper layers' parameters exist and are never used.
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
void encoder_forward(LayersShared<Base>& dev, EncoderCache<Base>& c, In<Base, 2> x, const Segments<Base>& sentences,
                     const EncoderParams<Base>& p, const StackOptions& o) {
  ++dev.calls;
  gradus::encoder_forward(static_cast<Base&>(dev), c, x, sentences, first_layer_everywhere<Base>(p), o);
}
template <class Base>
void encoder_backward(LayersShared<Base>& dev, Out<Base, 2> dx, Acc<Base, 2> dn, const EncoderParams<Base>& dp,
                      In<Base, 2> x, const Segments<Base>& sentences, const EncoderCache<Base>& c,
                      const EncoderParams<Base>& p, const StackOptions& o) {
  gradus::encoder_backward(static_cast<Base&>(dev), dx, dn, first_layer_everywhere<Base>(dp), x, sentences, c,
                           first_layer_everywhere<Base>(p), o);
}

/// Returns the output of the last layer but one.
template <class Base>
struct OutputOfWrongLayer : Base {
  static inline int calls = 0;
};
template <class Base>
void encoder_forward(OutputOfWrongLayer<Base>& dev, EncoderCache<Base>& c, In<Base, 2> x,
                     const Segments<Base>& sentences, const EncoderParams<Base>& p, const StackOptions& o) {
  ++dev.calls;
  gradus::encoder_forward(static_cast<Base&>(dev), c, x, sentences, p, o);
  c.output = c.layers[c.layers.size() - 2].after_feed_forward.n;
}

/// With pre-norm, returns the stream itself, without the final norm.
template <class Base>
struct FinalNormMissing : Base {
  static inline int calls = 0;
};
template <class Base>
void encoder_forward(FinalNormMissing<Base>& dev, EncoderCache<Base>& c, In<Base, 2> x,
                     const Segments<Base>& sentences, const EncoderParams<Base>& p, const StackOptions& o) {
  ++dev.calls;
  gradus::encoder_forward(static_cast<Base&>(dev), c, x, sentences, p, o);
  c.output = c.layers.back().after_feed_forward.s;
}

/// Claims to be pre-norm and computes post-norm, in forward and backward: the first norm is never used.
template <class Base>
struct OtherPlacement : Base {
  static inline int calls = 0;
};
inline StackOptions as_post(StackOptions o) {
  o.norm = Norm::post;
  return o;
}
template <class Base>
void encoder_forward(OtherPlacement<Base>& dev, EncoderCache<Base>& c, In<Base, 2> x,
                     const Segments<Base>& sentences, const EncoderParams<Base>& p, const StackOptions& o) {
  ++dev.calls;
  gradus::encoder_forward(static_cast<Base&>(dev), c, x, sentences, p, as_post(o));
}
template <class Base>
void encoder_backward(OtherPlacement<Base>& dev, Out<Base, 2> dx, Acc<Base, 2> dn, const EncoderParams<Base>& dp,
                      In<Base, 2> x, const Segments<Base>& sentences, const EncoderCache<Base>& c,
                      const EncoderParams<Base>& p, const StackOptions& o) {
  gradus::encoder_backward(static_cast<Base&>(dev), dx, dn, dp, x, sentences, c, p, as_post(o));
}

/// With pre-norm, adds a sublayer's output to the normalised tensor that the sublayer read, not to the stream.
template <class Base>
struct StreamAfterNorm : Base {
  static inline int calls = 0;
};
template <class Base>
void encoder_layer_forward(StreamAfterNorm<Base>& dev, EncoderLayerCache<Base>& c, In<Base, 2>, In<Base, 2> u,
                           const Segments<Base>& sentences, const EncoderLayerParams<Base>& p,
                           const StackOptions& o, std::size_t layer) {
  ++dev.calls;
  gradus::encoder_layer_forward(static_cast<Base&>(dev), c, u, u, sentences, p, o, layer);
}

/// Every layer draws the masks of the first one.
template <class Base>
struct SitesShared : Base {
  static inline int calls = 0;
};
template <class Base>
void encoder_layer_forward(SitesShared<Base>& dev, EncoderLayerCache<Base>& c, In<Base, 2> x, In<Base, 2> u,
                           const Segments<Base>& sentences, const EncoderLayerParams<Base>& p,
                           const StackOptions& o, std::size_t) {
  ++dev.calls;
  gradus::encoder_layer_forward(static_cast<Base&>(dev), c, x, u, sentences, p, o, 0);
}
template <class Base>
void encoder_layer_backward(SitesShared<Base>& dev, Acc<Base, 2> dx, Acc<Base, 2> dn,
                            const EncoderLayerParams<Base>& dp, In<Base, 2> u, const Segments<Base>& sentences,
                            const EncoderLayerCache<Base>& c, const EncoderLayerParams<Base>& p,
                            const StackOptions& o, std::size_t) {
  gradus::encoder_layer_backward(static_cast<Base&>(dev), dx, dn, dp, u, sentences, c, p, o, 0);
}

/// With post-norm, ignores the fork of the stream: one of its two gradients is lost.
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
template <class Base>
struct MaskOnQueries : Base {
  static inline int calls = 0;
};
template <class Base>
void attention_forward(MaskOnQueries<Base>& dev, Out<Base, 2> y, AttentionCache<Base>& cache, In<Base, 2> q,
                       In<Base, 2> k, In<Base, 2> v, const Segments<Base>& queries, const Segments<Base>& keys,
                       const AttentionOptions& options) {
  ++dev.calls;
  const auto length = dev.kept.ints(keys.sentences());
  for (std::size_t i = 0; i < keys.sentences(); ++i) {
    length[i] = static_cast<std::int32_t>(keys.rows) - keys.begin[i];
    length[i] = std::min(length[i], static_cast<std::int32_t>(keys.longest));
  }
  const Segments<Base> padded{keys.begin, length, keys.rows, keys.longest};
  gradus::attention_forward(static_cast<Base&>(dev), y, cache, q, k, v, queries, padded, options);
}

}  // namespace gradus::wrong
