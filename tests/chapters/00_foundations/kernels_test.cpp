#include "chapters/00_foundations/kernel_cases.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("linear, dropout: every judge accepts the kernels", "[gradients]") {
  each_foundation_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}
