#pragma once
/// \file
/// Wrong decoders.

#include "08_decoder/decoder.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// Calls the self-attention module in the place of the cross-attention module, which is never used.
/// twin: cross-module-unused 08_decoder tutorial golden parity dual-numbers -finite-differences
/// twin: cross-module-unused 09_transformer tutorial golden parity dual-numbers
template <class Base>
struct CrossModuleUnused : Base {
  static inline int calls = 0;
};
template <class Base>
DecoderLayerParams<Base> self_for_cross(DecoderLayerParams<Base> p) {
  p.cross_attention = p.self_attention;
  return p;
}
template <class Base>
void decoder_layer_forward(CrossModuleUnused<Base>& dev, DecoderLayerCache<Base>& c, In<Base, 2> x,
                           const Sequences<Base>& u, const Sequences<Base>& memory,
                           const DecoderLayerParams<Base>& p, const LayerOptions& o) {
  ++dev.calls;
  gradus::decoder_layer_forward(static_cast<Base&>(dev), c, x, u, memory, self_for_cross<Base>(p), o);
}
template <class Base>
void decoder_layer_backward(CrossModuleUnused<Base>& dev, Acc<Base, 2> dx, Acc<Base, 2> dn, Acc<Base, 2> dmemory,
                            const DecoderLayerParams<Base>& dp, const Sequences<Base>& u,
                            const Sequences<Base>& memory, const DecoderLayerCache<Base>& c,
                            const DecoderLayerParams<Base>& p, const LayerOptions& o) {
  gradus::decoder_layer_backward(static_cast<Base&>(dev), dx, dn, dmemory, self_for_cross<Base>(dp), u, memory, c,
                                 self_for_cross<Base>(p), o);
}

/// Every layer overwrites the memory's gradient: the encoder learns from only one decoder layer.
/// twin: memory-gradient-overwritten 08_decoder own finite-differences dual-numbers golden parity contract
/// twin: memory-gradient-overwritten 09_transformer own dual-numbers golden parity
template <class Base>
struct MemoryGradientOverwritten : Base {
  static inline int calls = 0;
};
template <class Base>
void cross_attention_backward(MemoryGradientOverwritten<Base>& dev, Out<Base, 2> dx, Acc<Base, 2> dmemory,
                              const AttentionParams<Base>& dp, In<Base, 2> dy, const Sequences<Base>& x,
                              const Sequences<Base>& memory, const CrossAttentionCache<Base>& c,
                              const AttentionParams<Base>& p, const AttentionOptions& o) {
  ++dev.calls;
  fill(dev, dmemory, 0);
  gradus::cross_attention_backward(static_cast<Base&>(dev), dx, dmemory, dp, dy, x, memory, c, p, o);
}

/// The decoder's self-attention sees the future, in forward and backward: the model copies the answer.
template <class Base>
struct DecoderSeesFuture : Base {
  static inline int calls = 0;
};
inline AttentionOptions not_causal(AttentionOptions o) {
  o.causal = false;
  return o;
}
template <class Base>
void self_attention_forward(DecoderSeesFuture<Base>& dev, Out<Base, 2> y, SelfAttentionCache<Base>& c,
                            const Sequences<Base>& x, const AttentionParams<Base>& p, const AttentionOptions& o) {
  ++dev.calls;
  gradus::self_attention_forward(static_cast<Base&>(dev), y, c, x, p, not_causal(o));
}
template <class Base>
void self_attention_backward(DecoderSeesFuture<Base>& dev, Out<Base, 2> dx, const AttentionParams<Base>& dp,
                             In<Base, 2> dy, const Sequences<Base>& x, const SelfAttentionCache<Base>& c,
                             const AttentionParams<Base>& p, const AttentionOptions& o) {
  gradus::self_attention_backward(static_cast<Base&>(dev), dx, dp, dy, x, c, p, not_causal(o));
}

/// Cross-attention without its residual connection: its output replaces the stream.
/// twin: cross-without-residual 08_decoder elsewhere golden parity dual-numbers finite-differences
template <class Base>
struct CrossWithoutResidual : Base {
  static inline int calls = 0;
};
template <class Base>
void residual_forward(CrossWithoutResidual<Base>& dev, Residual<Base>& r, In<Base, 2> x, In<Base, 2> f,
                      const NormParams<Base>& p, const Dropout& dropout) {
  if (dropout.site % 16 != static_cast<std::uint32_t>(DropoutSite::after_cross_attention)) {
    return gradus::residual_forward(static_cast<Base&>(dev), r, x, f, p, dropout);
  }
  ++dev.calls;
  Scratch<Base> scope(dev);
  const Out<Base, 2> nothing = dev.scratch.matrix(x.extent[0], x.extent[1]);
  fill(dev, nothing, 0);
  gradus::residual_forward(static_cast<Base&>(dev), r, In<Base, 2>(nothing), f, p, dropout);
}

}  // namespace gradus::wrong
