#pragma once
/// \file
/// The decoder on the device of kernels: it has no kernel of its own, only those of its leaves.

#include "chapters/08_decoder/decoder_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_decoder_kernel(F&& f) {
  KernelOptions composite;
  composite.is_composite = true;
  for (const Norm norm : {Norm::pre, Norm::post}) {
    f(DecoderLayerCase{small_decoder(norm, 2)}, composite);
    f(DecoderCase{small_decoder(norm, 2)}, composite);
  }
}

}  // namespace gradus::test
