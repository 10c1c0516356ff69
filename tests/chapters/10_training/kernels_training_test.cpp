#include "chapters/10_training/digits.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/gpu/host/sanitizers.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The losses of the first steps of learning to reverse digits, dropout on, one micro-batch.
template <class Dev>
std::vector<double> losses(std::uint32_t steps, std::vector<double>* norms = nullptr) {
  Dev dev;
  Model<Dev> model(dev, digit_model());
  initialise(dev, model.flat(), model.layout, {});
  const IdPairs pairs = reversed_digits(400, 1);
  TrainingPlan plan = digit_plan(100);
  plan.batches.tokens = 100;
  plan.micro_batches = 1;
  Workers one(1);
  Trainer<Dev> trainer(model, pairs, plan, one);
  std::vector<double> result;
  TrainingControl control;
  control.max_steps = steps;
  control.on_step = [&](const StepReport& r) {
    result.push_back(r.loss);
    if (norms != nullptr) norms->push_back(r.gradient_norm);
  };
  trainer.run(control);
  return result;
}

}  // namespace

/// Under a sanitizer three steps show the plain, the recorded and the replayed one.
constexpr std::uint32_t steps = gpu::host::watches_races || gpu::host::watches_bounds ? 3 : 100;

TEST_CASE("training on kernels: 100 recorded steps beside the processor's, dropout on") {
  gpu::host::protect_device_memory(false);  // the judges of the leaves ran with it
  std::vector<double> norms, expected_norms;
  const std::vector<double> expected = losses<Cpu<double>>(steps, &expected_norms),
                            found = losses<Cuda<double>>(steps, &norms);
  gpu::host::protect_device_memory(true);
  REQUIRE(expected.size() == steps);
  REQUIRE(found.size() == steps);
  double largest = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    INFO("step " << i + 1);
    CHECK(std::abs(found[i] - expected[i]) <= 1e-9 * std::abs(expected[i]));
    CHECK(std::abs(norms[i] - expected_norms[i]) <= 1e-6 * expected_norms[i]);
    largest = std::max(largest, std::abs(found[i] - expected[i]) / expected[i]);
  }
  INFO("largest relative difference " << largest);
  if (steps == 100) CHECK(expected.back() < 0.9 * expected.front());  // it learns
}
