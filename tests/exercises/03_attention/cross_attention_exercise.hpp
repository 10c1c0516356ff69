#pragma once

#include "chapters/03_attention/multi_head_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct CrossAttentionExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    CrossAttentionCase equal_lengths;
    equal_lengths.key_lengths = equal_lengths.query_lengths;
    f(CrossAttentionCase{}, "cross_attention");
    f(equal_lengths, "");
  }
};

}  // namespace gradus::test
