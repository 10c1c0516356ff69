#include "exercises/05_layer_norm/layer_norm_kernel_exercise.hpp"
#include "exercises/05_layer_norm/layer_norm_kernel_mistakes.hpp"
#include "exercises/grader.hpp"
#include "wrong/layer_norm.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using C = Cpu<double>;
using Task = LayerNormKernelExercise;

/// Each choice of the four sums that can be left out; bits = 0 leaves none out.
template <unsigned... bits>
void add_lane_sums(std::vector<KnownMistake>& all, std::integer_sequence<unsigned, bits...>) {
  (all.push_back(mistake<Task, wrong::LaneSums<C, bits + 1>>("warp-sum-left-out")), ...);
}

}  // namespace

int main(int count, char** arguments) {
  Graded g = graded<Task>("05_layer_norm");
  g.mistakes = {mistake<Task, wrong::SampleDeviation<C>>("sample-deviation"),
                mistake<Task, wrong::EpsilonOutsideRoot<C>>("epsilon-outside-root"),
                mistake<Task, wrong::SampleVariance<C>>("sample-variance"),
                mistake<Task, wrong::NoEpsilon<C>>("no-epsilon"),
                mistake<Task, wrong::TinyEpsilon<C>>("tiny-epsilon"),
                mistake<Task, wrong::OneGain<C>>("one-gain"),
                mistake<Task, wrong::DetachedVariance<C>>("detached-variance"),
                mistake<Task, wrong::NoMeanTerm<C>>("no-mean-term"),
                mistake<Task, wrong::RowWithoutBlock<C, true>>("row-without-block"),
                mistake<Task, wrong::RowWithoutBlock<C, false>>("row-without-block")};
  add_lane_sums(g.mistakes, std::make_integer_sequence<unsigned, 15>{});
  g.errors = lane_errors("lane-returns-early");
  return grade(g, count, arguments);
}
