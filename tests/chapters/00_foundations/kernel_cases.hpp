#pragma once
/// \file
/// The kernels of chapter 00: `f(case, options)` for each case that judges them; linear_case.hpp has its own sizes.

#include "chapters/00_foundations/dropout_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_foundation_kernel(F&& f) {
  f(DropoutCase{}, KernelOptions{});
  f(DropoutCase{4, 5, {0, 19, Side::source}}, KernelOptions{});
  f(DropoutCase{33, 70, {0.1, 3, Side::source}}, KernelOptions{{}, true});
}

}  // namespace gradus::test
