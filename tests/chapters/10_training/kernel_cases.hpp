#pragma once
/// \file
/// The kernels of chapter 10: `f(case, options)` for each case that judges them.

#include "chapters/10_training/model_case.hpp"
#include "chapters/10_training/optimiser_case.hpp"
#include "chapters/10_training/output_loss_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

/// Optimisers have no runner for dual numbers, because they are not differentiated.
inline Component with_kernels(const OptimiserCase& c, const KernelOptions& = {}) {
  return {describe(c),
          {runner<Reference<double>>("Reference<double>", c), runner<Cuda<double>>("Cuda<double>", c),
           runner<Cuda<float>>("Cuda<float>", c)},
          {}};
}

template <class F>
void each_loss_kernel(F&& f) {
  f(OutputLossCase{}, KernelOptions{});
  f(OutputLossCase{5, 3, 9, 0.0}, KernelOptions{});
  f(OutputLossCase{5, 3, 9, 0.1, 1, 2, true}, KernelOptions{});
  f(OutputLossCase{0, 4, 7}, KernelOptions{});
  f(OutputLossCase{2, 1, 1025, 0.2, 1, 1}, KernelOptions{{}, true});  // more words than threads
  f(OutputLossCase{1030, 2, 3}, KernelOptions{{}, true, false});      // two chunks of rows: parity and orders
}

/// The whole model with its loss, as in training.
template <class F>
void each_model_kernel(F&& f) {
  KernelOptions composite;
  composite.is_composite = true;
  f(ModelCase{{small_model(Norm::pre, Tying::all)}}, composite);
  f(ModelCase{{small_model(Norm::post, Tying::output)}}, composite);
  f(ModelCase{{small_model(Norm::pre, Tying::all, 0.3, DecoderUnit::ssru)}}, composite);
}

template <class F>
void each_optimiser_kernel(F&& f) {
  const KernelOptions forward_only{{}, false, false};
  for (const Optimiser kind : {Optimiser::adam, Optimiser::sgd}) {
    for (const Decay decay : {Decay::decoupled, Decay::coupled}) {
      f(OptimiserCase{600, kind, {0.5, 0.01, decay, 300}}, forward_only);  // three blocks
    }
    f(OptimiserCase{1, kind, {}}, forward_only);
  }
}

}  // namespace gradus::test
