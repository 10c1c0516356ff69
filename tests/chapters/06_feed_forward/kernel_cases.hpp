#pragma once
/// \file
/// The kernels of chapter 06: `f(case, options)` for each case that judges them.

#include "chapters/06_feed_forward/activation_case.hpp"
#include "chapters/06_feed_forward/feed_forward_case.hpp"
#include "chapters/06_feed_forward/linear_activation_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

template <class F>
void each_feed_forward_kernel(F&& f) {
  const Dropout none{}, some{0.3, 22, Side::source};
  for (const Activation activation : {Activation::relu, Activation::gelu, Activation::swish}) {
    f(ActivationCase{activation}, KernelOptions{});
    f(ActivationCase{activation, 9, 130}, KernelOptions{{}, true});
    f(LinearActivationCase{activation}, KernelOptions{});
    f(LinearActivationCase{activation, 5, 3, 4, none, false}, KernelOptions{});
    f(LinearActivationCase{activation, 70, 3, 130, some, true}, KernelOptions{{}, true});  // two blocks each way
    f(LinearActivationCase{activation, 9, 2, 258, some, true}, KernelOptions{{}, true});  // three blocks of columns
    f(FeedForwardCase{activation}, KernelOptions{{}, true});
  }
}

}  // namespace gradus::test
