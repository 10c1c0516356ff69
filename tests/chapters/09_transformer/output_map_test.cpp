#include "09_transformer/output_map.hpp"

#include <cmath>

#include "09_transformer/output_top_k.hpp"
#include "lib/ops/owned.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEMPLATE_TEST_CASE("output_forward: from the table's panels the logits are those from the table", "", Cpu<float>,
                   Cpu<double>) {
  using Real = typename TestType::Real;
  constexpr std::size_t N = 70, D = 9;
  TestType dev;
  auto x = Owned<Real>::normal(N, D, 2, 1);
  for (const std::size_t vocab : {1, 16, 63, 64, 65, 200}) {
    auto table = Owned<Real>::normal(vocab, D, 1, 2), bias = Owned<Real>::normal(1, vocab, 0, 3);
    OutputParams<TestType> p{table.view(), as_vector(bias.view())};
    Owned<Real> expected(N, vocab, 3), z(N, vocab, 3);
    output_forward(dev, expected.view(), In<TestType, 2>(x.view()), p);
    Workspace<Real, Host> memory;
    p.panels = output_panels(dev, memory, p);
    output_forward(dev, z.view(), In<TestType, 2>(x.view()), p);
    double worst = 0;
    for (std::size_t n = 0; n < N; ++n) {
      for (std::size_t v = 0; v < vocab; ++v) {
        const double difference = std::abs(double(z.view().row(n)[v]) - double(expected.view().row(n)[v]));
        if (!(difference <= worst)) worst = difference;  // NaN is kept
      }
    }
    INFO(vocab << " words");
    CHECK(worst <= (sizeof(Real) == 4 ? 1e-5 : 1e-13));
    CHECK(z.gaps_untouched());
  }
}
