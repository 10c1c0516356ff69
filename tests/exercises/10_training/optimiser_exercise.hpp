#pragma once

#include "chapters/10_training/optimiser_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct OptimiserExercise : Exercise {
  static Component judged(const OptimiserCase& c) { return optimiser(c); }
  template <class F>
  static void each_case(F&& f) {
    f(OptimiserCase{40, Optimiser::adam, {0.5, 0.01, Decay::decoupled, 25}}, "adam_decoupled");
    f(OptimiserCase{40, Optimiser::adam, {0.5, 0.01, Decay::coupled, 40}}, "adam_coupled");
    f(OptimiserCase{40, Optimiser::adam, {0, 0, Decay::coupled, 0}, 0, 1e-2}, "adam_epsilon");
    f(OptimiserCase{40, Optimiser::sgd, {0, 0.01, Decay::coupled, 40}, 0.9}, "sgd");
  }
};

}  // namespace gradus::test
