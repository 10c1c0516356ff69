#pragma once

#include "chapters/05_layer_norm/layer_norm_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct LayerNormExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(LayerNormCase{5, 7}, "layer_norm_7");
    f(LayerNormCase{5, 3}, "layer_norm_3");
    f(LayerNormCase{6, 4}, "layer_norm_constant");
    f(LayerNormCase{5, 7}, "layer_norm_narrow");
  }
};

}  // namespace gradus::test
