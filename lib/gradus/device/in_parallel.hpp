#pragma once
/// \file
/// Two pieces of work that do not depend on each other.

#include "gradus/device/device.hpp"

namespace gradus {

/// Does f and g. A processor does f and then g; a GPU may do both at the same time, because one product of a small model
/// does not fill it. Neither may write what the other one reads or writes, or take scratch memory, which the other one could
/// be using still.
template <class Real, class F, class G>
void in_parallel(HostDevice<Real>&, F&& f, G&& g) {
  f();
  g();
}
template <class Real, class F, class G>
void in_parallel(Cuda<Real>&, F&& f, G&& g) {
  gpu::in_parallel(f, g);
}

}  // namespace gradus
