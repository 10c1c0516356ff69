#pragma once
/// \file
/// The kernels of chapter 05: `f(case, options)` for each case that judges them.

#include "chapters/05_layer_norm/add_norm_case.hpp"
#include "chapters/05_layer_norm/layer_norm_case.hpp"
#include "chapters/05_layer_norm/residual_stack_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_layer_norm_kernel(F&& f) {
  f(LayerNormCase{5, 7}, KernelOptions{});
  f(LayerNormCase{33, 4}, KernelOptions{});
  f(LayerNormCase{3, 70}, KernelOptions{});
  f(LayerNormCase{5, 7, 0.25}, KernelOptions{});
  f(AddNormCase{}, KernelOptions{});
  f(AddNormCase{6, 5, {0.3, 19, Side::target}, 0.25}, KernelOptions{});
  f(AddNormCase{4, 3, {}}, KernelOptions{});
  f(AddNormCase{70, 33}, KernelOptions{{}, true});
  f(AddNormCase{3, 140}, KernelOptions{{}, true});  // a lane has several quads
  f(JoinNormCase{}, KernelOptions{});
  f(JoinNormCase{70, 33}, KernelOptions{{}, true});
  f(ResidualStackCase{Norm::pre}, KernelOptions{{}, true});
  f(ResidualStackCase{Norm::post}, KernelOptions{{}, true});
}

}  // namespace gradus::test
