#pragma once
/// \file
/// exp of the elements of a vector.

#include "gradus/ops/exp_cpu.hpp"
#include "gradus/ops/vector_cpu.hpp"

namespace gradus {

/// fast_exp of each element. The loop of a fixed length becomes instructions on the whole register.
template <class Real>
Vector<Real> exp_of_elements(Vector<Real> v) {
  Real e[vector_width<Real>];
  store<Real>(e, v);
#pragma omp simd
  for (std::size_t i = 0; i < vector_width<Real>; ++i) e[i] = fast_exp(e[i]);
  return load(e);
}

}  // namespace gradus
