#include "chapters/05_layer_norm/kernel_cases.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("layer_norm, add_norm: the kernels before every judge") {
  each_layer_norm_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}
