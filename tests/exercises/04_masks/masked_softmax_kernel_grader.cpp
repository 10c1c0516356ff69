#include "exercises/04_masks/masked_softmax_kernel_exercise.hpp"
#include "exercises/04_masks/masked_softmax_kernel_mistakes.hpp"
#include "exercises/grader.hpp"
#include "wrong/masks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using C = Cpu<double>;
using Task = MaskedSoftmaxKernelExercise;

/// Each choice of the three warp functions that can be left out.
template <unsigned... bits>
void add_lane_values(std::vector<KnownMistake>& all, std::integer_sequence<unsigned, bits...>) {
  (all.push_back(mistake<Task, wrong::LaneValues<C, bits + 1>>("warp-function-left-out")), ...);
}

}  // namespace

int main(int count, char** arguments) {
  Graded g = graded<Task>("04_masks");
  g.mistakes = {mistake<Task, wrong::Filled<C, wrong::LargeNegative>>("filled-with-1e9"),
                mistake<Task, wrong::Filled<C, wrong::LargeNegativeAdded>>("added-1e9"),
                mistake<Task, wrong::Filled<C, wrong::MinusInfinity>>("minus-infinity"),
                mistake<Task, wrong::MaskInverted<C>>("mask-inverted"),
                mistake<Task, wrong::DenseOverQueries<C>>("softmax-over-queries"),
                mistake<Task, wrong::RowWithoutBlock<C, true>>("row-without-block"),
                mistake<Task, wrong::RowWithoutBlock<C, false>>("row-without-block")};
  add_lane_values(g.mistakes, std::make_integer_sequence<unsigned, 7>{});
  g.errors = lane_errors("lane-returns-early");
  return grade(g, count, arguments);
}
