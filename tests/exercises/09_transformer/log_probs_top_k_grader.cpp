#include "exercises/09_transformer/log_probs_top_k_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/transformer.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = LogProbsTopKExercise;
  Graded g = graded<Task>("09_transformer");
  g.mistakes = {mistake<Task, wrong::SoftmaxOverPositions<C>>("softmax-over-positions"),
                mistake<Task, wrong::NoMaximumSubtracted<C>>("no-maximum-subtracted")};
  return grade(g, count, arguments);
}
