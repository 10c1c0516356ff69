#pragma once
/// \file
/// Keys and values of the memory for the cross-attentions of all layers at once.

#include <string>
#include <vector>

#include "08_decoder/decoder_layer.hpp"

namespace gradus {

/// \defgroup keys_values keys_values
/// computes  k | v = memory wkv of the cross-attention of every layer (eq:3.5), if the device has one launch for all of
///           them. Otherwise nothing: each cross-attention computes its own when its turn comes. It has no backward:
///           cross-attention has that.
/// requires  memory (Nk, D), as many layers in c as in p, parameters as BasicAttentionParams says, else Error.
/// ensures   given_kv of each cross-attention in c is what was computed, in dev.kept, or absent.
/// saves     nothing else.
/// @{
template <class Device, class Dev = Device>
using KeysValuesForward = void(Device& dev, std::vector<DecoderLayerCache<Dev>>& c, In<Dev, 2> memory,
                               const std::vector<DecoderLayerParams<Dev>>& p);
template <class Dev>
KeysValuesForward<Dev> keys_values_forward;

template <class Real, class Dev = Cuda<Real>>
KeysValuesForward<Cuda<Real>, Dev> keys_values_forward;
/// @}

/// The check of the arguments, the same on every device.
template <class Dev>
void check_keys_values(const std::vector<DecoderLayerCache<Dev>>& c, In<Dev, 2> memory,
                       const std::vector<DecoderLayerParams<Dev>>& p) {
  if (c.size() != p.size())
    fail("keys_values: " + std::to_string(c.size()) + " caches for " + std::to_string(p.size()) + " layers");
  for (const DecoderLayerParams<Dev>& layer : p) check_attention_params<Dev>(memory, layer.cross_attention);
}

/// Where there is no such launch.
template <class Dev>
void keys_values_forward(Dev&, std::vector<DecoderLayerCache<Dev>>& c, In<Dev, 2> memory,
                         const std::vector<DecoderLayerParams<Dev>>& p) {
  check_keys_values<Dev>(c, memory, p);
}

}  // namespace gradus
