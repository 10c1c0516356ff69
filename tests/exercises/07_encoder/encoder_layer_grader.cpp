#include "exercises/07_encoder/encoder_layer_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/encoder.hpp"
#include "wrong/feed_forward.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = EncoderLayerExercise;
  const std::vector<std::size_t> pre{0};  // with post-norm the stream is what the sublayer read
  Graded g = graded<Task>("07_encoder");
  g.mistakes = {mistake<Task, wrong::StreamAfterNorm<C>>("stream-after-norm", pre),
                mistake<Task, wrong::SitesShared<C>>("dropout-sites-shared"),
                mistake<Task, wrong::ForkForgotten<C>>("fork-forgotten"),
                mistake<Task, wrong::RateNotHandedOn<C>>("rate-not-handed-on"),
                mistake<Task, wrong::InnerMaskForgotten<C>>("inner-mask-forgotten")};
  return grade(g, count, arguments);
}
