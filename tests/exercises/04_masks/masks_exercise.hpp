#pragma once

#include "chapters/04_masks/dense_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct MasksExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(DenseAttentionCase{}, "dense_attention");
    f(dense_causal_case(), "dense_attention_causal");
  }
};

}  // namespace gradus::test
