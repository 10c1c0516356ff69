#include "exercises/03_attention/attention_kernel_exercise.hpp"
#include "exercises/grader.hpp"
#include "wrong/attention.hpp"
#include "wrong/attention_gradients.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int count, char** arguments) {
  using C = Cpu<double>;
  using Task = AttentionKernelExercise;
  Graded g = graded<Task>("03_attention");
  g.mistakes = {mistake<Task, wrong::Ruled<C, wrong::NoMaximum>>("no-maximum"),
                mistake<Task, wrong::Ruled<C, wrong::ClampedSoftmax>>("clamped-softmax"),
                mistake<Task, wrong::Ruled<C, wrong::CausalOffByOne>>("causal-off-by-one"),
                mistake<Task, wrong::Ruled<C, wrong::CausalFromTheStart>>("causal-from-the-start"),
                mistake<Task, wrong::Ruled<C, wrong::UniformWhenNothingVisible>>("uniform-when-nothing-visible"),
                mistake<Task, wrong::Ruled<C, wrong::DropByKeyRow>>("drop-by-key-row"),
                mistake<Task, wrong::SoftmaxOverQueries<C>>("softmax-over-queries"),
                mistake<Task, wrong::NoScale<C>>("no-scale"),
                mistake<Task, wrong::ScaledByModelWidth<C>>("scaled-by-model-width"),
                mistake<Task, wrong::SeveredGradient<C>>("severed-gradient")};
  return grade(g, count, arguments);
}
