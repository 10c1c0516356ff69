#pragma once

#include "chapters/10_training/output_loss_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct OutputLossExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(OutputLossCase{}, "output_loss");
    f(OutputLossCase{}, "output_loss_large");
    f(OutputLossCase{6, 4, 7, 0.1, 1, 2, true}, "output_loss_bias");
  }
};

}  // namespace gradus::test
