#pragma once
/// \file
/// A first version of attention on a GPU: one launch for each formula. Its contract is that of attention, except
/// that segments must fit: it writes no NaN for a wrong segment. For the lesson, and for a benchmark that compares.

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
