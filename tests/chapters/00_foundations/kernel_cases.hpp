#pragma once
/// \file
/// The kernels of chapter 00: `f(case, options)` for each case that judges them.

#include "chapters/00_foundations/dropout_case.hpp"
#include "chapters/00_foundations/linear_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_foundation_kernel(F&& f) {
  f(LinearCase{}, KernelOptions{});
  f(LinearCase{4, 3, 5, false}, KernelOptions{});
  f(LinearCase{70, 3, 66}, KernelOptions{{}, true});  // two blocks of columns, three chunks of rows
  f(LinearCase{560, 2, 3}, KernelOptions{{}, true});  // more chunks than there are warps to add them
  f(LinearCase{1, 33, 1}, KernelOptions{});
  f(DropoutCase{}, KernelOptions{});
  f(DropoutCase{4, 5, {0, 19, Side::source}}, KernelOptions{});
  f(DropoutCase{33, 70, {0.1, 3, Side::source}}, KernelOptions{{}, true});
}

}  // namespace gradus::test
