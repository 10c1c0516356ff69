#pragma once

#include "chapters/04_masks/masked_softmax_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct MaskedSoftmaxKernelExercise : Exercise {
  static constexpr bool is_kernel = true;
  template <class F>
  static void each_case(F&& f) {
    f(MaskedSoftmaxCase{}, "masked_softmax");
    f(MaskedSoftmaxCase{2, 1, 3, 70}, "");
    f(MaskedSoftmaxCase{1, 1, 2, 2}, "");  // one row sees all keys, the other none
  }
};

}  // namespace gradus::test
