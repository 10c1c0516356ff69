#include "exercises/10_training/output_loss_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/training.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = OutputLossExercise;
  Graded g = graded<Task>("10_training");
  g.mistakes = {mistake<Task, wrong::SmoothingOverOthers<C>>("smoothing-over-others"),
                mistake<Task, wrong::SmoothingForgotten<C>>("smoothing-forgotten"),
                mistake<Task, wrong::LossWithoutMaximum<C>>("no-maximum-subtracted"),
                mistake<Task, wrong::PaddingCounted<C>>("padding-counted"),
                mistake<Task, wrong::LossSummed<C>>("loss-summed"),
                mistake<Task, wrong::LossOverPositions<C>>("loss-over-positions"),
                mistake<Task, wrong::TableGradientOverwritten<C>>("table-gradient-overwritten")};
  return grade(g, count, arguments);
}
