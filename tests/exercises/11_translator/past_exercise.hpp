#pragma once

#include "chapters/11_translator/decoder_step_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct PastExercise : Exercise {
  static Component judged(const DecoderStepCase& c) { return stepwise(c); }
  template <class F>
  static void each_case(F&& f) {
    f(DecoderStepCase{Norm::pre}, "");
    f(DecoderStepCase{Norm::post}, "");
  }
};

}  // namespace gradus::test
