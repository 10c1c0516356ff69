#pragma once
/// \file
/// Attention for translating: its result alone. Sizes as in attention.hpp.

#include "03_attention/attention.hpp"
#include "gradus/memory/workspace.hpp"

namespace gradus {

/// \defgroup attend attend
/// computes  y of attention_forward without dropout (eq:3.1, eq:3.2, eq:3.3); the composition below. It is a fused leaf: Cpu
///           overloads it, because translation has few queries of a sentence, and reads no weights afterwards.
/// requires  as attention_forward; options.dropout is not active, and `turned` is absent or turned_keys of x.k and
///           x.keys, else Error.
/// ensures   y is overwritten, as attention_forward says. A query's row does not depend on the other queries, on Cpu
///           to the bit. Turned keys change nothing but the order of a sum, and so the last bits.
/// saves     nothing, so it has no backward.
/// @{
template <class Dev>
void attend_as_attention(Dev& dev, Out<Dev, 2> y, const AttentionInput<Dev>& x, const AttentionOptions& options) {
  require(options.dropout.rate == 0, "attend has no dropout");
  const auto mark = dev.kept.mark();
  AttentionCache<Dev> cache;
  attention_forward(dev, y, cache, x, options);
  dev.kept.release(mark);
}
template <class Dev>
void attend(Dev& dev, Out<Dev, 2> y, const AttentionInput<Dev>& x, const AttentionOptions& options,
            In<Dev, 2> /*turned*/ = {}) {
  attend_as_attention(dev, y, x, options);
}

template <class Real, class Dev = Cpu<Real>>
void attend(Cpu<Real>& dev, Out<Dev, 2> y, const AttentionInput<Dev>& x, const AttentionOptions& options,
            In<Dev, 2> turned = {});

/// A copy of the keys, in `memory`, in the order in which the device's attend reads them fastest; absent if the device has
/// no such order. It is worth its time if many queries meet the same keys.
template <class Dev>
In<Dev, 2> turned_keys(Dev&, Workspace<typename Dev::Real, typename Dev::Space>&, In<Dev, 2> /*k*/,
                       const Segments<Dev>& /*keys*/) {
  return {};
}
template <class Real, class Dev = Cpu<Real>>
In<Dev, 2> turned_keys(Cpu<Real>& dev, Workspace<Real, Host>& memory, In<Dev, 2> k, const Segments<Dev>& keys);
/// @}

}  // namespace gradus
