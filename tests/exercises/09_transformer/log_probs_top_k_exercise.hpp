#pragma once

#include "chapters/09_transformer/log_probs_top_k_case.hpp"
#include "exercises/exercise.hpp"

namespace gradus::test {

struct LogProbsTopKExercise : Exercise {
  template <class F>
  static void each_case(F&& f) {
    f(LogProbsTopKCase{}, "log_probs_top_k");
    f(LogProbsTopKCase{4, 50, 10}, "");
  }
};

}  // namespace gradus::test
