#include "exercises/05_layer_norm/layer_norm_kernel_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/layer_norm.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = LayerNormKernelExercise;
  Graded g = graded<Task>("05_layer_norm");
  g.mistakes = {mistake<Task, wrong::SampleDeviation<C>>("sample-deviation"),
                mistake<Task, wrong::SampleVariance<C>>("sample-variance"),
                mistake<Task, wrong::NoEpsilon<C>>("no-epsilon"),
                mistake<Task, wrong::TinyEpsilon<C>>("tiny-epsilon"),
                mistake<Task, wrong::OneGain<C>>("one-gain"),
                mistake<Task, wrong::DetachedVariance<C>>("detached-variance"),
                mistake<Task, wrong::NoMeanTerm<C>>("no-mean-term")};
  return grade(g, count, arguments);
}
