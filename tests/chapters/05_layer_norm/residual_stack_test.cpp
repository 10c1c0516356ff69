#include "chapters/05_layer_norm/residual_stack_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("residual_stack: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(ResidualStackCase{Norm::pre})));
  expect(gradients(component(ResidualStackCase{Norm::post})));
}

TEST_CASE("residual_stack: every device agrees with the reference and keeps the contract") {
  for (const Norm norm : {Norm::pre, Norm::post}) {
    for (const std::size_t L : {1, 3}) {
      const Component judged = component(ResidualStackCase{norm, 4, 5, L});
      for (const Runner& r : judged.devices) {
        expect(parity(judged, r));
        expect(contract(judged, r));
      }
    }
  }
}

// The golden script computes each placement in its usual form: LN(x + f(x)), and x + f(LN(x)).
TEST_CASE("residual_stack: one loop is both placements") {
  expect(golden(component(ResidualStackCase{Norm::pre}), "residual_stack_pre"));
  expect(golden(component(ResidualStackCase{Norm::post}), "residual_stack_post"));
}

TEST_CASE("residual_stack: a sublayer without a norm is refused") {
  Cpu<double> dev;
  ResidualStackCache<Cpu<double>> cache;
  ResidualStackParams<Cpu<double>> p;
  p.sublayers.resize(1);
  CHECK_THROWS_AS(residual_stack_forward(dev, cache, {}, p, Norm::post), Error);
}
