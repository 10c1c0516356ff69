#include "exercises/04_masks/masked_softmax_kernel_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/masks.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = MaskedSoftmaxKernelExercise;
  Graded g = graded<Task>("04_masks");
  g.mistakes = {mistake<Task, wrong::Filled<C, wrong::LargeNegative>>("filled-with-1e9"),
                mistake<Task, wrong::Filled<C, wrong::LargeNegativeAdded>>("added-1e9"),
                mistake<Task, wrong::Filled<C, wrong::MinusInfinity>>("minus-infinity"),
                mistake<Task, wrong::MaskInverted<C>>("mask-inverted"),
                mistake<Task, wrong::DenseOverQueries<C>>("softmax-over-queries")};
  return grade(g, count, arguments);
}
