#pragma once

#include "chapters/01_embedding/lookup_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct LookupExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(LookupCase{}, "lookup");
    f(LookupCase{{4, 1, 4, 0, 2, 4}, 5, 3, {1, 4}}, "lookup_padding_4");
  }
};

}  // namespace gradus::test
