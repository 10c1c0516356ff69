#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "chapters/10_training/replay.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<float>;

double no_score(std::size_t) { return 0; }

TrainingPlan small_plan() {
  TrainingPlan plan;
  plan.batches.tokens = 24;
  plan.schedule = {ScheduleKind::constant, 1e-2, 0};
  plan.micro_batches = 2;
  plan.epochs = 3;
  return plan;
}

TrainingState saved_state(const RunFolder& folder) {
  return folder.load<float>(transformer_layout<Dev>(uneven_model()), "replay").state;
}

}  // namespace

TEMPLATE_TEST_CASE("training: a run stops after max_steps, not later and not earlier, and saves", "", Dev,
                   RunsAhead<Dev>) {
  const IdPairs pairs = uneven_corpus();
  for (const std::uint32_t stop_at : {1U, 5U, 6U, 11U}) {
    const TemporaryFolder folder;
    const RunFolder kept(folder.path("run"));
    TrainingControl control;
    control.max_steps = stop_at;
    const auto told = told_by_trainer<TestType>(uneven_model(), pairs, small_plan(), control, no_score, kept);
    CHECK(told.outcome == Outcome::stopped);
    CHECK(told.state.step == stop_at);
    CHECK(told.steps.size() == stop_at);
    CHECK_FALSE(told.state.finished);
    CHECK(told.saves.back() == stop_at);
    CHECK(saved_state(kept) == told.state);
  }
}

TEST_CASE("training: a run stops where it is asked to, and saves") {
  const IdPairs pairs = uneven_corpus();
  for (const std::uint32_t stop_at : {1U, 5U, 8U}) {
    const TemporaryFolder folder;
    const RunFolder kept(folder.path("run"));
    TrainingControl control;
    std::uint32_t asked = 0;
    control.should_stop = [&] { return ++asked == stop_at; };
    const auto told = told_by_trainer<Dev>(uneven_model(), pairs, small_plan(), control, no_score, kept);
    CHECK(told.outcome == Outcome::stopped);
    CHECK(told.state.step == stop_at);
    CHECK(saved_state(kept) == told.state);
  }
}

TEMPLATE_TEST_CASE("training: a gradient that is not finite ends the run at its step, and nothing of it is saved",
                   "", Dev, RunsAhead<Dev>) {
  const TemporaryFolder folder;
  const RunFolder kept(folder.path("run"));
  const IdPairs pairs = uneven_corpus();
  TrainingPlan plan = small_plan();
  plan.schedule = {ScheduleKind::constant, 1e37,
                   0};  // the first step leaves weights that are finite, but too large
  TrainingControl control;
  TestType dev;
  Model<TestType> model(dev, uneven_model());
  initialise(dev, model.flat(), model.layout, {});
  Workers one(1);
  Trainer<TestType> trainer(model, pairs, plan, one, kept, "replay");
  std::vector<StepReport> steps;
  control.on_step = [&](const StepReport& r) { steps.push_back(r); };
  CHECK(trainer.run(control) == Outcome::failed);
  REQUIRE(steps.size() == 2);
  CHECK(std::isfinite(steps[0].gradient_norm));
  CHECK_FALSE(std::isfinite(steps[1].gradient_norm));
  CHECK(trainer.state().step == 1);
  CHECK(trainer.state().next_batch == 1);
  CHECK_FALSE(kept.has_checkpoint());
  CHECK(trainer.step().slot(0).dev.state.step == 2);  // computed again, for the search for the faulty parameter
  const auto gradient = values_of(dev, trainer.step().slot(0).gradients.flat());
  CHECK_FALSE(std::all_of(gradient.begin(), gradient.end(), [](float g) { return std::isfinite(g); }));
}

TEST_CASE("training: weights that are not finite are not saved, neither as a checkpoint nor as the best") {
  const TemporaryFolder folder;
  const RunFolder kept(folder.path("run"));
  const IdPairs pairs = uneven_corpus();
  TrainingPlan plan = small_plan();
  plan.valid_every = 2;
  Dev dev;
  Model<Dev> model(dev, uneven_model());
  initialise(dev, model.flat(), model.layout, {});
  Workers one(1);
  Trainer<Dev> trainer(model, pairs, plan, one, kept, "replay");
  TrainingControl control;
  std::vector<float> good;
  control.validate = [&] {
    if (trainer.state().validations == 1)
      model.flat()[7] = std::numeric_limits<float>::infinity();
    else
      good = values_of(dev, model.flat());
    return static_cast<double>(trainer.state().validations);  // the second is the best
  };
  CHECK_THROWS_WITH(trainer.run(control), contains("a weight that is not finite"));
  CHECK(saved_state(kept).step == 2);
  CHECK(load_weights<float>(folder.path("run/best.safetensors"), model.layout) == good);
}

TEST_CASE("training: a resumed run says which checkpoint it had to pass over") {
  const TemporaryFolder folder;
  const RunFolder kept(folder.path("run"));
  const IdPairs pairs = uneven_corpus();
  TrainingControl control;
  control.save_every = 1;
  control.max_steps = 3;
  told_by_trainer<Dev>(uneven_model(), pairs, small_plan(), control, no_score, kept);
  const std::string newest = folder.path("run/checkpoint.safetensors");
  std::filesystem::resize_file(newest, std::filesystem::file_size(newest) - 1);
  Dev dev;
  Model<Dev> model(dev, uneven_model());
  Workers one(1);
  Trainer<Dev> trainer(model, pairs, small_plan(), one, kept, "replay");
  REQUIRE(trainer.resume());
  CHECK_THAT(trainer.skipped_checkpoints(), contains(newest + ": not a whole safetensors file"));
  CHECK(trainer.state().step == 3);  // the stop saved step 3 a second time
}

TEMPLATE_TEST_CASE("training: a checkpoint is saved where it is asked for, and the run goes on with the same bits",
                   "", Dev, RunsAhead<Dev>) {
  const IdPairs pairs = uneven_corpus();
  const TemporaryFolder folder;
  const RunFolder kept(folder.path("run")), plain_kept(folder.path("plain"));
  const auto plain = told_by_trainer<TestType>(uneven_model(), pairs, small_plan(), {}, no_score, plain_kept);
  TrainingControl control;
  std::vector<std::string> calls;
  control.should_stop = [&] { return calls.emplace_back("stop"), false; };
  control.should_save = [&] { return calls.emplace_back("save"), calls.size() == 4 || calls.size() == 8; };
  const auto told = told_by_trainer<TestType>(uneven_model(), pairs, small_plan(), control, no_score, kept);
  CHECK(told.outcome == Outcome::finished);
  CHECK(told.weights == plain.weights);
  for (std::size_t i = 0; i < calls.size(); ++i) CHECK(calls[i] == (i % 2 == 0 ? "stop" : "save"));
  // after the second and the fourth call, beside those of each epoch and of the end
  std::vector<std::uint32_t> more;
  std::set_difference(told.saves.begin(), told.saves.end(), plain.saves.begin(), plain.saves.end(),
                      std::back_inserter(more));
  CHECK(more.size() == 2);
  CHECK(told.saves.size() == plain.saves.size() + 2);
}
