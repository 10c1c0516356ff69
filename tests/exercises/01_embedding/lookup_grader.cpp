#include "exercises/01_embedding/lookup_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/embedding.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = LookupExercise;
  Graded g = graded<Task>("01_embedding");
  g.mistakes = {mistake<Task, wrong::ScaleForgotten<C>>("scale-forgotten"),
                mistake<Task, wrong::ScaleSquared<C>>("scale-squared"),
                mistake<Task, wrong::OnePaddingForAll<C>>("one-padding-for-all"),
                mistake<Task, wrong::PaddingIsAWord<C>>("padding-is-a-word"),
                mistake<Task, wrong::PaddingLearns<C>>("padding-learns"),
                mistake<Task, wrong::RepeatedIdsOverwritten<C>>("repeated-ids-overwritten")};
  return grade(g, count, arguments);
}
