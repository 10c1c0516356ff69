#pragma once
/// \file
/// A first version of attention on a GPU: one launch for each formula. Its contract is that of attention, except
/// that segments must fit: it writes no NaN for a wrong segment. For the lesson, and for a benchmark that compares.

#include "03_attention/attention.hpp"

namespace gradus {

template <class Real, class Dev = Cuda<Real>>
AttentionForward<Cuda<Real>, Dev> naive_attention_forward;
template <class Real, class Dev = Cuda<Real>>
AttentionBackward<Cuda<Real>, Dev> naive_attention_backward;

}  // namespace gradus
