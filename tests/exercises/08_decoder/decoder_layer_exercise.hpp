#pragma once

#include "chapters/08_decoder/decoder_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct DecoderLayerExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(DecoderLayerCase{small_decoder(Norm::pre, 2)}, "decoder_layer_pre");
    f(DecoderLayerCase{small_decoder(Norm::post, 2)}, "decoder_layer_post");
  }
};

}  // namespace gradus::test
