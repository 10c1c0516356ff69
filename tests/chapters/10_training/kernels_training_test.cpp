#include "chapters/10_training/digits.hpp"
#include "chapters/10_training/unprotected.hpp"
#include "gradus/gpu/host/sanitizers.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The reports of a training that learns to reverse digits, with dropout.
struct Told {
  Outcome outcome = Outcome::failed;
  TrainingState state;
  std::vector<StepReport> steps;
  std::vector<std::uint32_t> validated;  ///< the steps of the validations
};

template <class Dev>
Told train(const TrainingPlan& plan, std::uint32_t steps, std::size_t threads = 1,
           DecoderUnit unit = DecoderUnit::attention) {
  Dev dev;
  Model<Dev> model(dev, digit_model(Norm::pre, unit));
  initialise(dev, model.flat(), model.layout, {});
  const IdPairs pairs = reversed_digits(400, 1);
  Workers workers(threads);
  Trainer<Dev> trainer(model, pairs, plan, workers);
  Told told;
  TrainingControl control;
  control.max_steps = steps;
  control.on_step = [&](const StepReport& r) { told.steps.push_back(r); };
  control.validate = [&] { return told.validated.push_back(trainer.state().step), 0.0; };
  told.outcome = trainer.run(control);
  told.state = trainer.state();
  return told;
}

TrainingPlan small_batches(std::size_t micro_batches) {
  TrainingPlan plan = digit_plan(100);
  plan.batches.tokens = gpu::host::is_watched ? 20 : 100;
  plan.micro_batches = micro_batches;
  return plan;
}

/// Same steps, same state; losses within 1e-9, norms within 1e-6.
void expect_same(const Told& found, const Told& expected) {
  CHECK(found.outcome == expected.outcome);
  CHECK(found.state == expected.state);
  CHECK(found.validated == expected.validated);
  REQUIRE(found.steps.size() == expected.steps.size());
  for (std::size_t i = 0; i < found.steps.size(); ++i) {
    const StepReport &f = found.steps[i], &e = expected.steps[i];
    INFO("step " << i + 1);
    CHECK(f.step == i + 1);
    CHECK((f.epoch == e.epoch && f.batch == e.batch && f.target_tokens == e.target_tokens));
    CHECK(f.learning_rate == e.learning_rate);
    CHECK(std::abs(f.loss - e.loss) <= 1e-9 * std::abs(e.loss));
    CHECK(std::abs(f.gradient_norm - e.gradient_norm) <= 1e-6 * e.gradient_norm);
  }
}

template <class Dev>
double loss_of(const IdPairs& pairs) {
  Dev dev;
  Model<Dev> model(dev, digit_model());
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(2);
  return mean_loss(model, pairs, {}, workers);
}

}  // namespace

/// Under a sanitizer three steps are enough: the plain, the recorded and the replayed one; and two small micro-batches.
constexpr std::uint32_t steps = gpu::host::is_watched ? 3 : 100;
constexpr std::uint32_t few = gpu::host::is_watched ? 1 : 3;  // for kinds of products, which are the host's

TEST_CASE("training on kernels: 100 recorded steps beside the processor's, dropout on", "[whole]") {
  const Unprotected fast;
  const Told expected = train<Cpu<double>>(small_batches(1), steps);
  expect_same(train<Cuda<double>>(small_batches(1), steps), expected);
  REQUIRE(expected.steps.size() == steps);
  if (steps == 100) CHECK(expected.steps.back().loss < 0.9 * expected.steps.front().loss);  // it learns
}

TEST_CASE("training on kernels: recorded steps of a decoder with an SSRU beside the processor's", "[whole]") {
  const Unprotected fast;
  const std::uint32_t some = std::min(steps, 12U);
  const Told expected = train<Cpu<double>>(small_batches(1), some, 1, DecoderUnit::ssru);
  expect_same(train<Cuda<double>>(small_batches(1), some, 1, DecoderUnit::ssru), expected);
  CHECK(expected.steps.back().loss != train<Cpu<double>>(small_batches(1), some).steps.back().loss);
}

TEST_CASE("training on kernels: micro-batches, and validations between steps that are asked for together",
          "[whole]") {
  const Unprotected fast;
  TrainingPlan plan = small_batches(gpu::host::is_watched ? 2 : 3);
  plan.valid_every = 5;
  const std::uint32_t some = std::min(steps, 12U);
  const Told expected = train<Cpu<double>>(plan, some);
  expect_same(train<Cuda<double>>(plan, some), expected);
  expect_same(train<Cuda<double>>(plan, some, 3), expected);  // with one stream, threads change nothing
  if (some == 12) CHECK(expected.validated == std::vector<std::uint32_t>{5, 10});
}

TEST_CASE(
    "training on kernels: a gradient that is not finite is found where it was, though more steps were asked for",
    "[whole]") {
  const Unprotected fast;
  TrainingPlan plan = small_batches(1);
  plan.schedule = {ScheduleKind::constant, 1e200};
  const Told found = train<Cuda<double>>(plan, std::min(steps, 10U));
  CHECK(found.outcome == Outcome::failed);
  CHECK(found.state.step == 1);
  CHECK(found.steps.size() == 2);
  CHECK(std::isfinite(found.steps.front().gradient_norm));
  CHECK_FALSE(std::isfinite(found.steps.back().gradient_norm));
}

TEST_CASE("training on kernels: the plan's products are those of every micro-batch", "[whole]") {
  const Unprotected fast;
  TrainingPlan plan = small_batches(2);
  plan.products = Products::exact;
  const Told exact = train<Cuda<float>>(plan, few);
  plan.products = Products::bf16;
  const Told coarse = train<Cuda<float>>(plan, few);
  REQUIRE(coarse.steps.size() == exact.steps.size());
  for (std::size_t i = 0; i < coarse.steps.size(); ++i) {
    const double difference = std::abs(coarse.steps[i].loss / exact.steps[i].loss - 1);
    INFO("step " << i + 1 << ": " << difference);
    CHECK(difference > 1e-6);  // factors of 8 bits change a loss of 24
    CHECK(difference < 1e-2);
  }
}

TEST_CASE("training on kernels: a plan that names no products has those of tf32", "[whole]") {
  const Unprotected fast;
  TrainingPlan plan = small_batches(2);
  const Told found = train<Cuda<float>>(plan, few);
  plan.products = Products::tf32;
  const Told tf32 = train<Cuda<float>>(plan, few);
  plan.products = Products::exact;
  const Told exact = train<Cuda<float>>(plan, few);
  REQUIRE(found.steps.size() == exact.steps.size());
  for (std::size_t i = 0; i < found.steps.size(); ++i) {
    CHECK(found.steps[i].loss == tf32.steps[i].loss);
    CHECK(found.steps[i].loss != exact.steps[i].loss);
  }
}

TEST_CASE("mean_loss on kernels: the processor's, all parts in one recording", "[whole]") {
  const Unprotected fast;
  const IdPairs pairs = reversed_digits(gpu::host::is_watched ? 20 : 100, 3);
  CHECK(std::abs(loss_of<Cuda<double>>(pairs) / loss_of<Cpu<double>>(pairs) - 1) < 1e-12);
}

TEST_CASE("milestone on kernels: reverses digits, 99 of 100 exactly", "[.milestone]") {
  const Unprotected fast;
  TrainingPlan plan = small_batches(1);
  plan.epochs = 8;
  plan.products = Products::exact;
  CHECK(share_after_training<Cuda<float>>(Norm::pre, plan, 1) >= 0.99);
}
