#pragma once
/// \file
/// A matrix product of our own in four steps, each with fewer reads of memory than the one before. For the lesson
/// (gpu.md), and for a benchmark that compares them with cuBLAS. The model multiplies with gemm.

#include "gradus/device/device.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

enum class ProductStep {
  naive,         ///< one thread for each element of c; neighbouring threads have neighbouring rows
  coalesced,     ///< the same, but neighbouring threads have neighbouring columns
  shared_tile,   ///< a block reads a tile of a and one of b into shared memory, for all its threads
  register_tile  ///< the same with larger tiles, and each thread has 4 x 4 elements of c in registers
};

/// computes  c = a b
/// requires  a (n, k), b (k, m), c (n, m); else Error. c overlaps neither a nor b.
/// ensures   Each step overwrites c; the order of the additions is fixed.
template <class Real, class Dev = Cuda<Real>>
void ladder_product(Cuda<Real>& dev, Out<Dev, 2> c, In<Dev, 2> a, In<Dev, 2> b, ProductStep step);

}  // namespace gradus
