#include "exercises/05_layer_norm/add_norm_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/add_norm.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = AddNormExercise;
  Graded g = graded<Task>("05_layer_norm");
  g.mistakes = {mistake<Task, wrong::NoResidual<C>>("no-residual"),
                mistake<Task, wrong::StreamGradientLost<C>>("stream-gradient-lost"),
                mistake<Task, wrong::ResidualOtherMask<C>>("residual-other-mask"),
                mistake<Task, wrong::StreamDropped<C>>("stream-dropped")};
  return grade(g, count, arguments);
}
