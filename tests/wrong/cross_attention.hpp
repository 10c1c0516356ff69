#pragma once
/// \file
/// Wrong attentions of the decoder over the encoder's output.

#include "03_attention/multi_head_attention.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// Cross-attention under the target's causal mask: late source words are hidden from early target words.
/// twin: causal-cross 03_attention tutorial golden parity dual-numbers -finite-differences
/// twin: causal-cross 08_decoder tutorial golden parity dual-numbers
/// twin: causal-cross 09_transformer tutorial golden parity dual-numbers
template <class Base>
struct CausalCross : Base {
  static inline int calls = 0;
};
template <class Base>
void cross_attention_forward(CausalCross<Base>& dev, Out<Base, 2> y, CrossAttentionCache<Base>& cache,
                             const Sequences<Base>& x, const Sequences<Base>& memory,
                             const AttentionParams<Base>& p, AttentionOptions options) {
  ++dev.calls;
  options.causal = true;
  gradus::cross_attention_forward(static_cast<Base&>(dev), y, cache, x, memory, p, options);
}

/// Cross-attention that reads keys and values from its own stream and never from the memory.
/// twin: cross-is-self 03_attention tutorial parity dual-numbers -finite-differences
/// twin: cross-is-self 08_decoder tutorial golden parity dual-numbers
template <class Base>
struct CrossIsSelf : Base {
  static inline int calls = 0;
};
template <class Base>
void cross_attention_forward(CrossIsSelf<Base>& dev, Out<Base, 2> y, CrossAttentionCache<Base>& cache,
                             const Sequences<Base>& x, const Sequences<Base>&, const AttentionParams<Base>& p,
                             const AttentionOptions& options) {
  ++dev.calls;
  gradus::cross_attention_forward(static_cast<Base&>(dev), y, cache, x, x, p, options);
}
template <class Base>
void cross_attention_backward(CrossIsSelf<Base>& dev, Out<Base, 2> dx, Acc<Base, 2>,
                              const AttentionParams<Base>& dp, In<Base, 2> dy, const Sequences<Base>& x,
                              const Sequences<Base>&, const CrossAttentionCache<Base>& cache,
                              const AttentionParams<Base>& p, const AttentionOptions& options) {
  Scratch<Base> scope(dev);
  const Out<Base, 2> second =
      dev.scratch.matrix(x.rows.extent[0], x.rows.extent[1]);  // x has two readers: the gradients add
  fill(dev, second, 0);
  gradus::cross_attention_backward(static_cast<Base&>(dev), dx, second, dp, dy, x, x, cache, p, options);
  add(dev, dx, second);
}

}  // namespace gradus::wrong
