#pragma once

#include "chapters/12_ssru/ssru_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct SsruExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(SsruCase{}, "ssru");
    f(SsruCase{{3, 1, 4}, 5, 2, false}, "ssru_without_state");
    f(SsruCase{{0, 4, 0, 3}, 5, 1}, "");  // of fewer rows a wrong output may be all 0, as one that is not written
  }
};

}  // namespace gradus::test
