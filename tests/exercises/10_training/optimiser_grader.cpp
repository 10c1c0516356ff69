#include "exercises/10_training/optimiser_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/optimisers.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = OptimiserExercise;
  Graded g = graded<Task>("10_training");
  g.mistakes = {mistake<Task, wrong::NoBiasCorrection<C>>("no-bias-correction"),
                mistake<Task, wrong::EpsilonInsideRoot<C>>("epsilon-inside-root"),
                mistake<Task, wrong::DecaySwapped<C>>("decay-swapped"),
                mistake<Task, wrong::EverythingDecays<C>>("everything-decays")};
  return grade(g, count, arguments);
}
