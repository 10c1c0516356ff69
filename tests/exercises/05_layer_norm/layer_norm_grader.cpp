#include "exercises/05_layer_norm/layer_norm_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/layer_norm.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = LayerNormExercise;
  Graded g = graded<Task>("05_layer_norm");
  g.mistakes = {mistake<Task, wrong::SampleDeviation<C>>("sample-deviation"),
                mistake<Task, wrong::EpsilonOutsideRoot<C>>("epsilon-outside-root"),
                mistake<Task, wrong::SampleVariance<C>>("sample-variance"),
                mistake<Task, wrong::NoEpsilon<C>>("no-epsilon"),
                mistake<Task, wrong::TinyEpsilon<C>>("tiny-epsilon"),
                mistake<Task, wrong::OneGain<C>>("one-gain"),
                mistake<Task, wrong::BatchNorm<C>>("batch-norm"),
                mistake<Task, wrong::DetachedVariance<C>>("detached-variance"),
                mistake<Task, wrong::FrozenGain<C>>("frozen-gain"),
                mistake<Task, wrong::NoMeanTerm<C>>("no-mean-term"),
                mistake<Task, wrong::NormGradientOverwritten<C>>("norm-gradient-overwritten")};
  return grade(g, count, arguments);
}
