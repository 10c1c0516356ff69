#pragma once
/// \file
/// The kernels of chapter 11: `f(case, options)` for each case that judges them.

#include "chapters/11_translator/past_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_cache_kernel(F&& f) {
  const KernelOptions forward_only{{}, false, false};
  f(CacheAppendCase{}, forward_only);
  f(CacheAppendCase{33, {0}}, forward_only);
  f(CacheAppendCase{1025, {1, 0}}, forward_only);  // more columns than threads
  f(CacheSelectCase{}, forward_only);
  f(CacheSelectCase{133, 1, {0, 0, 0}, {2, 1, 0}}, forward_only);
}

}  // namespace gradus::test
