#include "chapters/08_decoder/kernel_cases.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("decoder: every judge accepts it on kernels", "[gradients]") {
  each_decoder_kernel([](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}
