#pragma once
/// \file
/// The kernels of chapter 09: `f(case, options)` for each case that judges them.

#include "chapters/09_transformer/log_probs_top_k_case.hpp"
#include "chapters/09_transformer/output_top_k_case.hpp"
#include "chapters/09_transformer/transformer_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_choice_kernel(F&& f) {
  const KernelOptions forward_only{{}, false, false};
  f(LogProbsTopKCase{}, forward_only);
  f(LogProbsTopKCase{1, 1, 1}, forward_only);
  f(LogProbsTopKCase{0, 7, 2}, forward_only);
  f(LogProbsTopKCase{3, 70, 70}, forward_only);         // all words of three warps
  f(LogProbsTopKCase{2, 1025, 5}, forward_only);        // more words than threads
  f(LogProbsTopKCase{4, 300, 10, 30.0}, forward_only);  // logits far apart
  KernelOptions composite = forward_only;
  composite.is_composite = true;
  f(OutputTopKCase{}, composite);  // on a GPU a product, then the kernel
}

/// The whole model: all leaves except the loss.
template <class F>
void each_transformer_kernel(F&& f) {
  const TwoSides sides{{3, 0, 1}, {1, 2, 1}, 1, 1};
  each_form([&](Norm norm, DecoderUnit unit) {
    KernelOptions composite;
    composite.is_composite = true;
    // Rounding to float reaches 1e-5 of the small gradients of a forget gate. In double the error is 1e-14, as everywhere.
    if (unit == DecoderUnit::ssru) composite.bounds.parity_float_gradient = 4e-5;
    f(TransformerCase{small_model(norm, Tying::all, 0.3, unit), sides}, composite);
  });
}

}  // namespace gradus::test
