#pragma once

#include "chapters/07_encoder/encoder_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct EncoderLayerExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(EncoderLayerCase{small_stack(Norm::pre, 2)}, "encoder_layer_pre");
    f(EncoderLayerCase{small_stack(Norm::post, 2)}, "encoder_layer_post");
  }
};

}  // namespace gradus::test
