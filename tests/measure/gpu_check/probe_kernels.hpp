#pragma once
/// \file
/// Two kernels that measure the machine and compute nothing.

#include "gradus/gpu/runtime.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus::test {

/// One block of one warp that does nothing.
void launch_empty();

/// y = x, 16 bytes a thread. The number of floats is a multiple of four.
void launch_copy(View<float, 1, Gpu> y, View<const float, 1, Gpu> x);

}  // namespace gradus::test
