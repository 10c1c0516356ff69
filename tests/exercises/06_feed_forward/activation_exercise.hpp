#pragma once

#include "chapters/06_feed_forward/activation_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct ActivationExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(ActivationCase{Activation::relu}, "activation_relu");
    f(ActivationCase{Activation::gelu}, "activation_gelu");
    f(ActivationCase{Activation::swish}, "activation_swish");
  }
};

}  // namespace gradus::test
