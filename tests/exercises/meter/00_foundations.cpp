#include "exercises/00_foundations/product_kernel_exercise.hpp"
#include "exercises/meter/meter.hpp"

using namespace gradus;
using namespace gradus::test;

int main(int, char** arguments) {
  const LinearCase c{64, 64, 64, false};
  meter<LadderCuda<float, ProductStep::naive>>("naive", c);
  meter<LadderCuda<float, ProductStep::coalesced>>("coalesced", c);
  meter<TileCuda<float>>("product_ladder_cuda.cu", c);
  meter<LadderCuda<float, ProductStep::register_tile>>("register tile", c);
  print_meter(arguments[1]);
}
