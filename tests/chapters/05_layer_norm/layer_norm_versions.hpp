#pragma once
/// \file
/// A GPU with another version of layer norm.

#include "05_layer_norm/layer_norm.hpp"
#include "support/version_cuda.hpp"

namespace gradus::test {

template <class R>
using LayerNormVersionCuda = VersionCuda<R, LayerNormForward<Cuda<R>>, LayerNormBackward<Cuda<R>>>;

template <class R, class Dev = Cuda<R>>
void layer_norm_forward(LayerNormVersionCuda<R>& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x,
                        const NormParams<Dev>& p) {
  std::get<0>(dev.version->calls)(dev, y, cache, x, p);
}
template <class R, class Dev = Cuda<R>>
void layer_norm_backward(LayerNormVersionCuda<R>& dev, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy,
                         In<Dev, 2> x, const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  std::get<1>(dev.version->calls)(dev, dx, dp, dy, x, cache, p);
}

}  // namespace gradus::test
