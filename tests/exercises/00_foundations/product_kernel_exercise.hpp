#pragma once

#include "00_foundations/cuda/product_ladder_cuda.hpp"
#include "00_foundations/linear.hpp"
#include "chapters/00_foundations/linear_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

/// A GPU whose linear map multiplies with a step of the ladder.
template <class R, ProductStep step>
struct LadderCuda : Cuda<R> {};
template <class R, ProductStep step, class Dev = Cuda<R>>
void linear_forward(LadderCuda<R, step>& dev, Out<Dev, 2> y, In<Dev, 2> x, const LinearParams<Dev>& p) {
  check_linear<Dev>(y, x, p);
  ladder_product<R>(dev, y, x, p.w, step);
}
template <class R>
using TileCuda = LadderCuda<R, ProductStep::shared_tile>;

struct ProductKernelExercise : Exercise {
  static constexpr bool is_kernel = true;
  template <class F>
  static void each_case(F&& f) {
    f(LinearCase{5, 3, 4, false}, "");
    f(LinearCase{33, 35, 34, false}, "");
  }
};

}  // namespace gradus::test
