#include "chapters/06_feed_forward/kernel_cases.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("kernels of chapter 06: every judge accepts them", "[gradients]") {
  each_feed_forward_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEST_CASE("linear_activation: on a GPU, too, an empty batch leaves parameter gradients as they are") {
  RunOptions from_two;
  from_two.accumulated_from = 2;
  const LinearActivationCase empty{Activation::relu, 0, 2, 3, {0.3, 22, Side::source}, true};
  const Run run = run_case<Cuda<double>>(empty, random_values(describe(empty)), from_two);
  CHECK(run.gradient.at("w") == std::vector<double>(6, 2.0));
  CHECK(run.gradient.at("b") == std::vector<double>(3, 2.0));
}
