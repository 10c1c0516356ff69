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
  each_form([&](Norm norm, DecoderUnit unit) {
    f(DecoderLayerCase{small_decoder(norm, 2, 0.3, unit)}, composite);
    f(DecoderCase{small_decoder(norm, 2, 0.3, unit)}, composite);
  });
}

}  // namespace gradus::test
