#pragma once
/// \file
/// The kernels of a leaf whose case names its sizes.

#include "support/kernels.hpp"
#include "support/sizes.hpp"

namespace gradus::test {

/// f(case, options) for each size; large ones without finite differences.
template <class Case, class F>
void each_size(F&& f) {
  for (const Case& c : Case::sizes()) {
    KernelOptions options;
    options.is_composite = !is_small(describe(c));
    f(c, options);
  }
}

}  // namespace gradus::test
