#include "exercises/00_foundations/linear_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/foundations.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = LinearExercise;
  Graded g = graded<Task>("00_foundations");
  g.mistakes = {mistake<Task, wrong::BiasForgotten<C>>("bias-forgotten"),
                mistake<Task, wrong::ForgottenAccumulate<C>>("forgotten-accumulate"),
                mistake<Task, wrong::TransposedWeightGradient<C>>("transposed-weight-gradient")};
  return grade(g, count, arguments);
}
