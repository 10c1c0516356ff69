#pragma once
/// \file
/// The kernels of chapter 11: `f(case, options)` for each case that judges them.

#include "chapters/11_translator/past_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_past_kernel(F&& f) {
  const KernelOptions forward_only{{}, false, false};
  f(PastAppendCase{}, forward_only);
  f(PastAppendCase{33, {0}}, forward_only);
  f(PastAppendCase{1025, {1, 0}}, forward_only);  // more columns than threads
  f(PastSelectCase{}, forward_only);
  f(PastSelectCase{133, 1, {0, 0, 0}, {2, 1, 0}}, forward_only);
}

}  // namespace gradus::test
