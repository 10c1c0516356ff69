#pragma once
/// \file
/// Masks: tables of 0 and 1 that say which keys a query may attend to. Sizes: B sentences, T queries, S keys.

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// \defgroup masks padding and causal mask
/// computes  padding_mask:  mask[b, t, j] = 1 if keys[b, j] is a word, 0 if it is padding             (eq:4.1)
///           causal_mask:   mask[b, t, j] = within[b, t, j] if j <= S - T + t, else 0                 (eq:4.2)
///           (Vaswani et al. 2017, section 3.2.3)
/// requires  mask, within (B, T, S), keys (B, S), else Error. `within` holds 0 and 1; if it is absent, all keys
///           are allowed. mask may be `within`.
/// ensures   mask is overwritten with 1 (may attend) and 0 (may not). A padding mask hides keys (columns), not
///           queries (rows): a padded query attends like the others, and its result is not used.
/// saves     nothing: masks have no gradient.
/// @{
template <class Device, class Dev = Device>
using PaddingMask = void(Device& dev, OutInts<Dev, 3> mask, Ints<Dev, 2> keys, std::int32_t padding);
template <class Real, class Dev = Reference<Real>>
PaddingMask<Reference<Real>, Dev> padding_mask;
template <class Real, class Dev = Cpu<Real>>
PaddingMask<Cpu<Real>, Dev> padding_mask;
template <class Real, class Dev = Cuda<Real>>
PaddingMask<Cuda<Real>, Dev> padding_mask;

template <class Device, class Dev = Device>
using CausalMask = void(Device& dev, OutInts<Dev, 3> mask, Ints<Dev, 3> within);
template <class Real, class Dev = Reference<Real>>
CausalMask<Reference<Real>, Dev> causal_mask;
template <class Real, class Dev = Cpu<Real>>
CausalMask<Cpu<Real>, Dev> causal_mask;
template <class Real, class Dev = Cuda<Real>>
CausalMask<Cuda<Real>, Dev> causal_mask;
/// @}

template <class Dev>
void check_padding_mask(Ints<Dev, 3> mask, Ints<Dev, 2> keys) {
  check_shape("padding_mask: keys", keys, {mask.extent[0], mask.extent[2]});
}
template <class Dev>
void check_causal_mask(Ints<Dev, 3> mask, Ints<Dev, 3> within) {
  check_optional("causal_mask: within", within, mask.extent);
}

}  // namespace gradus
