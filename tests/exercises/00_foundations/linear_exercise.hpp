#pragma once

#include "chapters/00_foundations/linear_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct LinearExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(LinearCase{5, 3, 4, true}, "linear");
    f(LinearCase{4, 2, 6, false}, "");
  }
};

}  // namespace gradus::test
