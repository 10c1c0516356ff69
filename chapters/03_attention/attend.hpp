#pragma once
/// \file
/// Attention for translating: its result alone. Sizes as in attention.hpp.

#include "03_attention/attention.hpp"
#include "gradus/memory/workspace.hpp"

namespace gradus {

/// \defgroup attend attend
/// computes  y of attention_forward without dropout (eq:3.1, eq:3.2, eq:3.3); the composition below. It is a fused leaf: Cpu
///           overloads it, because translation has few queries of a sentence, and reads no weights afterwards.
/// requires  as attention_forward; options.dropout is not active, else Error. `turned` is absent, or from turn_keys of x.k
///           and x.keys; of this only the shape is checked.
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

/// Room in `memory` for turned keys (rows, D); absent if the device's attend does not use them.
template <class Dev>
Out<Dev, 2> room_for_turned(Dev&, Workspace<typename Dev::Real, typename Dev::Space>&, std::size_t /*rows*/,
                            std::size_t /*D*/) {
  return {};
}
template <class Real, class Dev = Cpu<Real>>
Out<Dev, 2> room_for_turned(Cpu<Real>& dev, Workspace<Real, Host>& memory, std::size_t rows, std::size_t D);

/// turned = the keys k, sentence by sentence, in the order in which the device's attend reads them fastest; nothing if it is absent.
/// It is worth its time if many queries meet the same keys.
template <class Dev>
void turn_keys(Dev&, Out<Dev, 2> /*turned*/, In<Dev, 2> /*k*/, const Segments<Dev>& /*keys*/) {}
template <class Real, class Dev = Cpu<Real>>
void turn_keys(Cpu<Real>& dev, Out<Dev, 2> turned, In<Dev, 2> k, const Segments<Dev>& keys);
/// @}

}  // namespace gradus
