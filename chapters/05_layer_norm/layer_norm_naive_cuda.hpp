#pragma once
/// \file
/// A first, naive version of layer norm on a GPU: one thread for each row. It has layer_norm's contract, and is for
/// the lesson and for a comparing benchmark.

#include "05_layer_norm/layer_norm.hpp"

namespace gradus {

template <class Real, class Dev = Cuda<Real>>
void naive_layer_norm_forward(Cuda<Real>& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x,
                              const NormParams<Dev>& p);
template <class Real, class Dev = Cuda<Real>>
void naive_layer_norm_backward(Cuda<Real>& dev, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy,
                               In<Dev, 2> x, const NormCache<Dev>& cache, const NormParams<Dev>& p);

}  // namespace gradus
