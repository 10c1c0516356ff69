#pragma once
/// \file
/// The kernels of chapter 04: `f(case, options)` for each case that judges them.

#include "chapters/04_masks/dense_case.hpp"
#include "chapters/04_masks/masked_softmax_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_masks_kernel(F&& f) {
  const KernelOptions leaf{}, composite{{}, true};
  f(MaskedSoftmaxCase{}, leaf);
  f(MaskedSoftmaxCase{1, 1, 1, 1}, leaf);
  f(MaskedSoftmaxCase{3, 2, 2, 33}, leaf);
  f(MaskedSoftmaxCase{2, 1, 1, 1025}, composite);
  f(MaskedSoftmaxCase{2, 2, 3, 70, 3000}, KernelOptions{{}, true, false, false});  // too large for any exponential
  f(MaskedSoftmaxCase{0, 2, 3, 4}, leaf);
  f(MaskedSoftmaxCase{2, 2, 3, 0}, leaf);
  f(DenseDropoutCase{}, leaf);
  f(DenseAttentionCase{}, composite);
  f(dense_causal_case(), composite);
  f(dense_aligned_case(), composite);
  f(DenseAttentionCase{Padded{{35, 3}, true}, Padded{{2, 40}}, 6, true, {2, {0.3, 18, Side::target}}, 1},
    composite);
}

}  // namespace gradus::test
