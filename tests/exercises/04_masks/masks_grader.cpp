#include "exercises/04_masks/masks_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/masks.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = MasksExercise;
  Graded g = graded<Task>("04_masks");
  g.mistakes = {mistake<Task, wrong::PaddingOnQueries<C>>("padding-on-queries"),
                mistake<Task, wrong::OnePaddingId<C>>("one-padding-id"),
                mistake<Task, wrong::StartHidden<C>>("start-hidden"),
                mistake<Task, wrong::FutureSeen<C>>("future-seen")};
  return grade(g, count, arguments);
}
