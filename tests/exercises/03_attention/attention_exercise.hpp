#pragma once

#include "chapters/03_attention/attention_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct AttentionExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    AttentionCase large = large_logits_case();
    large.scale = 1;  // random scores are small: only the golden file has large ones
    f(AttentionCase{}, "attention");
    f(causal_case(), "attention_causal");
    f(aligned_case(), "attention_aligned");
    f(large, "attention_large_logits");
  }
};

}  // namespace gradus::test
