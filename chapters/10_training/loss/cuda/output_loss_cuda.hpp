#pragma once
/// \file
/// The kernel of output_loss between its products. Sizes: N rows, Vocab words.

#include "gradus/device/cuda.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// computes  row_loss[n] = l of eq:10.1, before it is multiplied by 1 / tokens, and, where `has_gradient`, dz of
///           eq:10.2 in place of the logits; both are 0 in a row without a target.
/// requires  logits (N, Vocab), row_loss (N), target (N): output_loss has checked the sizes. A target that is no word
///           gives NaN.
template <class Real>
using LossRows = void(Cuda<Real>& dev, View<Real, 2, Gpu> logits, View<Real, 1, Gpu> row_loss,
                      View<const std::int32_t, 1, Gpu> target, double smoothing, bool has_gradient);
template <class Real>
LossRows<Real> loss_rows;

}  // namespace gradus
