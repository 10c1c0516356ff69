#include "exercises/11_translator/past_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/translator.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = PastExercise;
  Graded g = graded<Task>("11_translator");
  g.has_contract = false;
  g.mistakes = {mistake<Task, wrong::PastNotSelected<C>>("past-not-selected"),
                mistake<Task, wrong::NeighboursPast<C>>("neighbours-past"),
                mistake<Task, wrong::FinishedBeamWrites<C>>("finished-beam-writes"),
                mistake<Task, wrong::ForgetfulPast<C>>("forgetful-past")};
  return grade(g, count, arguments);
}
