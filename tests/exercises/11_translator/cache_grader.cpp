#include "exercises/11_translator/cache_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/translator.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = CacheExercise;
  Graded g = graded<Task>("11_translator");
  g.has_contract = false;
  g.mistakes = {mistake<Task, wrong::CacheNotSelected<C>>("cache-not-selected"),
                mistake<Task, wrong::NeighboursHistory<C>>("neighbours-history"),
                mistake<Task, wrong::FinishedBeamWrites<C>>("finished-beam-writes"),
                mistake<Task, wrong::ForgetfulCache<C>>("forgetful-cache")};
  return grade(g, count, arguments);
}
