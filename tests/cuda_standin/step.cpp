/// \file
/// Some training steps and some translations by the files that nvcc compiles, beside the processor's. plants.py builds this program
/// with one mistake in one of those files, and checks that it says which rule is broken.
///
///     standin_step      prints "right", or in one line what is wrong; exit 1 if something is

#include <cmath>
#include <iostream>

#include "cuda_standin/stand_in.hpp"
#include "measure/gpu_check/steps.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

void check_training() {
  const auto expected = trained<Cpu<double>>(1), found = trained<Cuda<double>>(1);
  for (std::size_t i = 0; i < expected.losses.size(); ++i) {
    if (!(std::abs(found.losses[i] / expected.losses[i] - 1) < 1e-9))
      fail("step " + std::to_string(i + 1) + ": the loss differs from the processor's");
  }
  const double first = trained<Cuda<float>>(1).losses[0];
  if (!(std::abs(first / expected.losses[0] - 1) < 1e-3)) fail("in float: the loss differs from the processor's");
}

void check_search() {
  const auto expected = translated<Cpu<double>>(), found = translated<Cuda<double>>();
  require(found.size() == expected.size(), "another number of translations");
  for (std::size_t i = 0; i < found.size(); ++i)
    require(found[i][0].words == expected[i][0].words, "a translation differs from the processor's");
}

}  // namespace

int main() try {
  check_training();
  check_search();
  std::cout << "right\n";
} catch (const Error& error) {
  std::cout << error.what() << "\n";
  return 1;
}
