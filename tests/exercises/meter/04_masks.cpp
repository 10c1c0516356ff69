#include "chapters/04_masks/masked_softmax_case.hpp"
#include "exercises/meter/meter.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int, char** arguments) {
  meter<Cuda<float>>("masked_softmax_cuda.cu", MaskedSoftmaxCase{1, 2, 32, 128});
  print_meter(arguments[1]);
}
