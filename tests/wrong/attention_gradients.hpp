#pragma once
/// \file
/// Attentions whose forward pass is right and whose gradient is not.

#include "03_attention/multi_head_attention.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// The gradient ends at attention: queries, keys and values get none, as after a copy that automatic differentiation does
/// not follow. The projections before it keep their first weights.
/// twin: severed-gradient 03_attention own finite-differences dual-numbers golden parity
template <class Base>
struct SeveredGradient : Base {
  static inline int calls = 0;
};
template <class Base>
void attention_backward(SeveredGradient<Base>& dev, const AttentionGradients<Base>& dx, In<Base, 2>,
                        const AttentionInput<Base>&, const AttentionCache<Base>&, const AttentionOptions&) {
  ++dev.calls;
  for (const Out<Base, 2>& gradient : {dx.q, dx.k, dx.v}) fill(dev, gradient, 0);
}

}  // namespace gradus::wrong
