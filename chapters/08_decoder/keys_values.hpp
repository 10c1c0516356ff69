#pragma once
/// \file
/// Keys and values of the memory for the cross-attentions of all layers at once.

#include <vector>

#include "08_decoder/decoder_layer.hpp"

namespace gradus {

/// \defgroup keys_values keys_values
/// computes  k | v = memory wkv of the cross-attention of every layer (eq:3.5), if the device has one launch for all of
///           them. Otherwise nothing: each cross-attention computes its own when its turn comes. So this is a fused leaf whose
///           definition is empty. It has no backward: cross-attention has that.
/// requires  memory (Nk, D), as many layers in c as in p, parameters as BasicAttentionParams says, else Error.
/// ensures   given_kv of each cross-attention in c is what was computed, in dev.kept, or absent.
/// saves     nothing else.
/// @{
template <class Dev>
void keys_values_forward(Dev&, std::vector<DecoderLayerCache<Dev>>&, In<Dev, 2>,
                         const std::vector<DecoderLayerParams<Dev>>&) {}

template <class Real, class Dev = Cuda<Real>>
void keys_values_forward(Cuda<Real>& dev, std::vector<DecoderLayerCache<Dev>>& c, In<Dev, 2> memory,
                         const std::vector<DecoderLayerParams<Dev>>& p);
/// @}

}  // namespace gradus
