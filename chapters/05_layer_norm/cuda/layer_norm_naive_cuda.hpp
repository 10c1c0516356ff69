#pragma once
/// \file
/// A first, naive version of layer norm on a GPU: one thread for each row. It has layer_norm's contract, and is for
/// the lesson and for a comparing benchmark.

#include "05_layer_norm/layer_norm.hpp"

namespace gradus {

template <class Real, class Dev = Cuda<Real>>
LayerNormForward<Cuda<Real>, Dev> naive_layer_norm_forward;
template <class Real, class Dev = Cuda<Real>>
LayerNormBackward<Cuda<Real>, Dev> naive_layer_norm_backward;

}  // namespace gradus
