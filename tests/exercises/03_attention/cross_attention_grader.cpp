#include "exercises/03_attention/cross_attention_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/cross_attention.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = CrossAttentionExercise;
  Graded g = graded<Task>("03_attention");
  g.mistakes = {mistake<Task, wrong::CausalCross<C>>("causal-cross"),
                mistake<Task, wrong::CrossIsSelf<C>>("cross-is-self")};
  return grade(g, count, arguments);
}
