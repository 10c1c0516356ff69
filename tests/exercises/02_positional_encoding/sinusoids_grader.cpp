#include "exercises/02_positional_encoding/sinusoids_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/positional_encoding.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = SinusoidsExercise;
  Graded g = graded<Task>("02_positional_encoding");
  g.mistakes = {mistake<Task, wrong::DoubledIndex<C>>("doubled-index"),
                mistake<Task, wrong::OtherBase<C>>("other-base"),
                mistake<Task, wrong::OddWidthAccepted<C>>("odd-width-accepted")};
  return grade(g, count, arguments);
}
