#include "exercises/06_feed_forward/activation_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/feed_forward.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = ActivationExercise;
  const std::vector<std::size_t> relu{0}, gelu{1}, swish{2}, smooth{1, 2};  // the cases in which a mistake shows
  Graded g = graded<Task>("06_feed_forward");
  g.mistakes = {mistake<Task, wrong::NoActivation<C>>("no-activation"),
                mistake<Task, wrong::MaskOfGradient<C>>("mask-of-gradient", relu),
                mistake<Task, wrong::SlopeAtOutput<C>>("slope-at-output", smooth),
                mistake<Task, wrong::SlopeOfSigma<C>>("slope-of-sigma", swish),
                mistake<Task, wrong::TanhGelu<C>>("tanh-gelu", gelu)};
  return grade(g, count, arguments);
}
