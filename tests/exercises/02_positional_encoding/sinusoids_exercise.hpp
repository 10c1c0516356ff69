#pragma once

#include "chapters/02_positional_encoding/sinusoids_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct SinusoidsExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(SinusoidsCase{}, "sinusoids");
    f(SinusoidsCase{5, 8}, "");
  }
};

}  // namespace gradus::test
