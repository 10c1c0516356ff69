#pragma once
/// \file
/// Two pieces of work that do not depend on each other.

#include "gradus/device/device.hpp"

namespace gradus {

/// Does f and then g, in this order on a processor. A GPU may do both at the same time, because one product of a small model
/// does not fill it. Neither may write what the other one reads or writes, or take scratch memory, which the other one could
/// be using still.
template <class Dev, class F, class G>
void in_parallel(Dev&, F&& f, G&& g) {
  f();
  g();
}
template <class Real, class F, class G>
void in_parallel(Cuda<Real>&, F&& f, G&& g) {
  gpu::in_parallel(f, g);
}

}  // namespace gradus
