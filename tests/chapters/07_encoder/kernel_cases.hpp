#pragma once
/// \file
/// The encoder on the device of kernels: it has no kernel of its own, only those of its leaves.

#include "chapters/07_encoder/encoder_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_encoder_kernel(F&& f) {
  KernelOptions composite;
  composite.is_composite = true;
  for (const Norm norm : {Norm::pre, Norm::post}) {
    f(EncoderLayerCase{small_stack(norm, 2)}, composite);
    f(EncoderCase{small_stack(norm, 2)}, composite);
  }
}

}  // namespace gradus::test
