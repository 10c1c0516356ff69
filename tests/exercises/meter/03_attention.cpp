#include "03_attention/cuda/attention_naive_cuda.hpp"
#include "chapters/03_attention/attention_case.hpp"
#include "exercises/03_attention/attention_kernel_exercise.hpp"
#include "exercises/meter/meter.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int, char** arguments) {
  const AttentionCase c{{64}, {64}, 32, {2, true, {0, 0, Side::target}}, 0};
  meter<NaiveCuda<float>>("attention_naive_cuda.cu", c);
  meter<Cuda<float>>("attention_cuda.cu", c);
  print_meter(arguments[1]);
}
