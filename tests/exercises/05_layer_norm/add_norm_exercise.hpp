#pragma once

#include "chapters/05_layer_norm/add_norm_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct AddNormExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(AddNormCase{}, "add_norm");
    f(AddNormCase{4, 3, {}}, "");
  }
};

}  // namespace gradus::test
