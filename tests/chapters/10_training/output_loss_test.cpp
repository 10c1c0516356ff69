#include <cmath>

#include "chapters/10_training/output_loss_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("output_loss: finite differences and dual numbers agree with the gradient", "[gradients]") {
  expect(gradients(component(OutputLossCase{})));
  expect(gradients(component(OutputLossCase{5, 3, 9, 0.0})));
  expect(gradients(component(OutputLossCase{5, 3, 9, 0.1, 1, 2, true})));
}

TEST_CASE("output_loss: every device agrees with the reference and keeps the contract") {
  for (const OutputLossCase& c :
       {OutputLossCase{}, OutputLossCase{300, 5, 33}, OutputLossCase{1, 1, 1025, 0.2, 1, 0},
        OutputLossCase{33, 7, 2, 0.0}, OutputLossCase{300, 5, 33, 0.1, 1, 2, true},
        OutputLossCase{300, 5, 145, 0.1, 1, 2, true}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("output_loss: golden values, with logits of a thousand too") {
  expect(golden(component(OutputLossCase{}), "output_loss"));
  expect(golden(component(OutputLossCase{}), "output_loss_large"));
  expect(golden(component(OutputLossCase{6, 4, 7, 0.1, 1, 2, true}), "output_loss_bias"));
}

TEST_CASE("output_loss: an empty batch has no loss") {
  const Component judged = component(OutputLossCase{0, 4, 7});
  for (const Runner& r : judged.devices) {
    const Run run = r.run(random_values(judged.description), {});
    CHECK(run.output.at("loss") == std::vector<double>{0.0});
    CHECK(run.gradient.at("table") == std::vector<double>(28, 0.0));
  }
}

TEST_CASE("output_loss: a target that is not in the vocabulary is refused") {
  Cpu<double> dev;
  std::vector<double> x(4), table(12), loss(1);
  const std::vector<std::int32_t> target{3};
  CHECK_THROWS_AS(output_loss_value(dev, {loss.data(), {1}, 1}, {x.data(), {1, 4}, 4},
                                    {{table.data(), {3, 4}, 4}, {}}, {target.data(), {1}, 1}, 0.1),
                  Error);
}

TEST_CASE("output_loss: each position of softmax sums to 1, so a uniform model loses log Vocab") {
  Reference<double> dev;
  dev.set({1, 1, 0, 0.5, 0, 0});
  std::vector<double> x(8, 0.0), table(20, 1.0), loss(1);
  const std::vector<std::int32_t> target{0, 4};
  output_loss_value(dev, {loss.data(), {1}, 1}, {x.data(), {2, 4}, 4}, {{table.data(), {5, 4}, 4}, {}},
                    {target.data(), {2}, 2}, 0.1);
  CHECK(loss[0] == Approx(std::log(5.0)).epsilon(1e-14));
}
