#include "exercises/08_decoder/decoder_layer_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/cross_attention.hpp"
#include "wrong/decoder.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = DecoderLayerExercise;
  Graded g = graded<Task>("08_decoder");
  g.mistakes = {mistake<Task, wrong::CrossModuleUnused<C>>("cross-module-unused"),
                mistake<Task, wrong::CausalCross<C>>("causal-cross"),
                mistake<Task, wrong::CrossIsSelf<C>>("cross-is-self"),
                mistake<Task, wrong::DecoderSeesFuture<C>>("future-seen"),
                mistake<Task, wrong::MemoryGradientOverwritten<C>>("memory-gradient-overwritten"),
                mistake<Task, wrong::CrossWithoutResidual<C>>("cross-without-residual")};
  return grade(g, count, arguments);
}
