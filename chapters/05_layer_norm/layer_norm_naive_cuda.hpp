#pragma once
/// \file
/// Layer norm on a GPU as one would write it first: a thread a row. The same contract as layer_norm's; for the lesson,
/// and for a bench that compares.

#include "05_layer_norm/layer_norm.hpp"

namespace gradus {

template <class Real, class Dev = Cuda<Real>>
void naive_layer_norm_forward(Cuda<Real>& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x,
                              const NormParams<Dev>& p);
template <class Real, class Dev = Cuda<Real>>
void naive_layer_norm_backward(Cuda<Real>& dev, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy,
                               In<Dev, 2> x, const NormCache<Dev>& cache, const NormParams<Dev>& p);

}  // namespace gradus
