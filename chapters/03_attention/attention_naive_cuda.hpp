#pragma once
/// \file
/// Attention on a GPU as one would write it first: a launch for each formula. The same contract as attention's, but
/// that segments have to fit: none is answered with NaN. For the lesson, and for a bench that compares.

#include "03_attention/attention.hpp"

namespace gradus {

template <class Real, class Dev = Cuda<Real>>
void naive_attention_forward(Cuda<Real>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache,
                             const AttentionInput<Dev>& x, const AttentionOptions& options);
template <class Real, class Dev = Cuda<Real>>
void naive_attention_backward(Cuda<Real>& dev, const AttentionGradients<Dev>& dx, In<Dev, 2> dy,
                              const AttentionInput<Dev>& x, const AttentionCache<Dev>& cache,
                              const AttentionOptions& options);

}  // namespace gradus
