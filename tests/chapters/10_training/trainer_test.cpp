#include <sys/resource.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "chapters/10_training/digits.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<float>;

std::vector<float> weights_of(Model<Dev>& model) {
  const auto flat = model.flat();
  return {flat.data, flat.data + flat.extent[0]};
}

struct Run {
  explicit Run(const TrainingPlan& plan, std::size_t threads, const std::optional<RunFolder>& folder = {})
      : model(dev, digit_model()), workers(threads), trainer(model, pairs, plan, workers, folder, "digits") {
    initialise(dev, model.flat(), model.layout, {});
  }
  Dev dev;
  IdPairs pairs = reversed_digits(300, 1);
  Model<Dev> model;
  Workers workers;
  Trainer<Dev> trainer;
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

TEST_CASE("training: the weights are the same bits with 1, 2, 3 and 8 threads") {
  TrainingPlan plan = digit_plan(2);
  std::vector<float> expected;
  for (const std::size_t threads : {1, 2, 3, 8}) {
    Run run(plan, threads);
    REQUIRE(run.trainer.run({}) == Outcome::finished);
    REQUIRE(run.trainer.state().step > 8);
    if (expected.empty()) expected = weights_of(run.model);
    CHECK(same_bits(weights_of(run.model), expected));
  }
  plan.seed = 2;
  Run other(plan, 2);
  other.trainer.run({});
  CHECK_FALSE(same_bits(weights_of(other.model), expected));
}

TEST_CASE("training: a batch smaller than the number of micro-batches trains") {
  TrainingPlan plan = digit_plan(1);
  plan.batches = {0, 3};
  Run run(plan, 2);
  CHECK(run.trainer.run({}) == Outcome::finished);
  CHECK(run.trainer.state().step == 100);
}

TEST_CASE("training: stopped and resumed at any step ends in the same bits") {
  const TrainingPlan plan = digit_plan(2);
  Run whole(plan, 2);
  whole.trainer.run({});
  for (const std::uint32_t stop_at : {1U, 5U, 9U}) {
    const TemporaryFolder folder;
    const RunFolder kept(folder.path("run"));
    {
      Run first(plan, 2, kept);
      TrainingControl control;
      control.max_steps = stop_at;
      CHECK(first.trainer.run(control) == Outcome::stopped);
      CHECK(first.trainer.state().step == stop_at);
    }
    Run second(plan, 1, kept);
    REQUIRE(second.trainer.resume());
    CHECK(second.trainer.state().step == stop_at);
    CHECK(second.trainer.run({}) == Outcome::finished);
    CHECK(same_bits(weights_of(second.model), weights_of(whole.model)));

    Run third(plan, 1, kept);  // a finished run is not changed
    REQUIRE(third.trainer.resume());
    CHECK(third.trainer.state().finished);
    CHECK(third.trainer.run({}) == Outcome::finished);
    CHECK(same_bits(weights_of(third.model), weights_of(whole.model)));
  }
}

TEST_CASE("training: a damaged checkpoint is noticed and the one before it is used") {
  const TemporaryFolder folder;
  const RunFolder kept(folder.path("run"));
  const TrainingPlan plan = digit_plan(2);
  Run run(plan, 2, kept);
  TrainingControl control;
  control.save_every = 2;
  control.max_steps = 3;
  run.trainer.run(control);  // saves after step 2, and at the stop
  const std::string file = folder.path("run/checkpoint.safetensors");
  const auto size = std::filesystem::file_size(file);
  std::FILE* f = std::fopen(file.c_str(), "r+b");
  std::fseek(f, static_cast<long>(size) - 100, SEEK_SET);
  std::fputs("damage", f);
  std::fclose(f);
  Run again(plan, 2, kept);
  REQUIRE(again.trainer.resume());
  CHECK(again.trainer.state().step == 2);
  again.trainer.run(control);  // replaces the damaged checkpoint by step 3
  const auto checkpoint = [&](const char* name) { return folder.path("run/checkpoint") + name + ".safetensors"; };
  std::filesystem::rename(checkpoint(""), checkpoint("-next"));  // and is killed between its two renames
  Run last(plan, 2, kept);
  REQUIRE(last.trainer.resume());
  CHECK(last.trainer.state().step == 3);
  for (const char* name : {"-before", "-next"}) std::filesystem::resize_file(checkpoint(name), size / 2);
  CHECK_THROWS_AS(last.trainer.resume(), Error);
}

TEST_CASE("training: the state of a run comes back from its text, whatever the best score is") {
  TrainingState state;
  state.step = 7, state.epoch = 2, state.next_batch = 3, state.validations = 4, state.since_best = 1;
  for (const double best : {-1.0 / 3, 0.0, 1e-300, -std::numeric_limits<double>::infinity()}) {
    state.best = best;
    CHECK(training_state(to_text(state), "test") == state);
  }
  CHECK_THROWS_AS(training_state("{\"step\": 7}", "test"), Error);
  CHECK_THROWS_AS(training_state("not a state", "test"), Error);
}

TEST_CASE("training: another recipe is not resumed") {
  const TemporaryFolder folder;
  const RunFolder kept(folder.path("run"));
  Run run(digit_plan(2), 2, kept);
  TrainingControl control;
  control.max_steps = 2;
  run.trainer.run(control);
  CHECK_THROWS_AS(kept.load<float>(run.model.layout, "other"), Error);
}

TEST_CASE("training: a step allocates nothing once its sizes were seen") {
  Run run(digit_plan(1), 1);
  Corpus<Dev> corpus(run.dev, run.pairs, {});
  corpus.set_batches(run.dev, make_batches(run.pairs, {150, 0}, 1, 1));
  REQUIRE(corpus.batches().size() >= 12);
  TrainingStep<Dev> step(run.model, corpus, 8, 0.1, {}, run.workers);
  std::uint32_t t = 0;
  const auto epoch = [&] {
    for (std::size_t k = 0; k < corpus.batches().size(); ++k) step.run(k, {1, ++t, 1e-3});
  };
  const auto allocations = [&] {
    std::size_t n = step.lent().allocations();
    REQUIRE(n > 0);
    for (std::size_t i = 0; i < step.slots(); ++i) {
      const auto& dev = step.slot(i).dev;
      n += dev.kept.allocations() + dev.scratch.allocations() +
           step.slot(i).batch.sizes().back();  // the last: its own
    }
    return n;
  };
  epoch();
  epoch();
  const std::size_t before = allocations();
  REQUIRE(before > 0);
  epoch();
  CHECK(allocations() == before);
}

TEST_CASE("training: steps take no new pages from the system once their sizes were seen", "[memory]") {
  Run run(digit_plan(1), 1);
  Corpus<Dev> corpus(run.dev, run.pairs, {});
  corpus.set_batches(run.dev, make_batches(run.pairs, {150, 0}, 1, 1));
  TrainingStep<Dev> step(run.model, corpus, 8, 0.1, {}, run.workers);
  std::uint32_t t = 0;
  const auto page_faults_of_epoch = [&] {
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    for (std::size_t k = 0; k < corpus.batches().size(); ++k) step.run(k, {1, ++t, 1e-3});
    ::getrusage(RUSAGE_SELF, &after);
    return static_cast<std::size_t>(after.ru_minflt - before.ru_minflt);
  };
  CHECK(page_faults_of_epoch() > 0);  // the first use of the memory
  page_faults_of_epoch();
  CHECK(page_faults_of_epoch() < corpus.batches().size());
}

TEST_CASE("training: the steps of all epochs are counted beforehand, and the schedule spans them") {
  Run run(digit_plan(3), 2);
  const std::uint32_t all = run.trainer.all_steps();
  CHECK(run.trainer.plan().schedule.decay_steps == all);
  REQUIRE(run.trainer.run({}) == Outcome::finished);
  CHECK(run.trainer.state().step == all);
}

TEST_CASE("training: no pairs, or no micro-batch, is an error") {
  Dev dev;
  Model<Dev> model(dev, digit_model());
  Workers workers(1);
  TrainingPlan plan = digit_plan(1);
  const IdPairs none, some = reversed_digits(3, 1);
  CHECK_THROWS_WITH(Trainer<Dev>(model, none, plan, workers), contains("no sentence pairs"));
  plan.micro_batches = 0;
  CHECK_THROWS_WITH(Trainer<Dev>(model, some, plan, workers), contains("micro-batch"));
  plan.micro_batches = 1;
  plan.products = Products::tf32;
  CHECK_THROWS_WITH(Trainer<Dev>(model, some, plan, workers), contains("tf32 products need a GPU"));
}

TEST_CASE("mean_loss: equals a step's loss without smoothing and dropout, for any number of threads") {
  using Double = Cpu<double>;
  Double dev;
  const IdPairs pairs = reversed_digits(50, 5);
  Model<Double> model(dev, digit_model()), inference(dev, digit_model().without_dropout());
  initialise(dev, model.flat(), model.layout, {});
  initialise(dev, inference.flat(), inference.layout, {});
  Workers one(1), three(3);
  const double loss = mean_loss(model, pairs, {}, one);
  CHECK(mean_loss(model, pairs, {}, three) == loss);
  std::vector<std::uint32_t> all(pairs.size());
  std::iota(all.begin(), all.end(), 0U);
  Corpus<Double> corpus(dev, pairs, {});
  corpus.set_batches(dev, {all});
  TrainingStep<Double> step(inference, corpus, 1, 0, {}, one);
  CHECK(step.run(0, {1, 1, 0}).loss == Approx(loss).epsilon(1e-13));
  CHECK_THROWS_AS(mean_loss(model, {}, {}, one), Error);
}

TEST_CASE("training: early stopping and the plateau count validations") {
  TrainingPlan plan = digit_plan(50);
  plan.patience = 3;
  plan.schedule.kind = ScheduleKind::plateau;
  plan.schedule.patience = 1;
  Run run(plan, 2);
  TrainingControl control;
  int asked = 0;
  control.validate = [&] { return ++asked <= 2 ? asked : 0.0; };
  CHECK(run.trainer.run(control) == Outcome::finished);
  CHECK(asked == 5);
  CHECK(run.trainer.state().best == 2.0);
  CHECK(run.trainer.state().reductions == 1);

  TrainingState state;
  plan.patience = 0;  // never
  for (const double score : {1.0, 0.0, 0.0}) note_score(state, plan, score);
  CHECK(state.since_best == 2);
  CHECK_FALSE(state.finished);
}

TEST_CASE("training: the weights of the last validations are kept, and their average is their mean") {
  const TemporaryFolder folder;
  const RunFolder kept(folder.path("run"));
  TrainingPlan plan = digit_plan(5);
  plan.average_last = 3;
  Run run(plan, 2, kept);
  std::vector<std::vector<float>> seen;
  TrainingControl control;
  control.validate = [&] { return seen.push_back(weights_of(run.model)), seen.size() == 2 ? 1.0 : 0.0; };
  run.trainer.run(control);
  REQUIRE(seen.size() == 5);
  const auto mean = kept.average<float>({"recent-0", "recent-1", "recent-2"}, run.model.layout);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    REQUIRE(mean[i] == static_cast<float>((double(seen[2][i]) + seen[3][i] + seen[4][i]) / 3));
  }
  CHECK(same_bits(load_weights<float>(folder.path("run/best.safetensors"), run.model.layout), seen[1]));
}

TEST_CASE("training: a gradient that is not finite stops the run and says where") {
  Run run(digit_plan(2), 2);
  TrainingControl control;
  control.on_step = [&](const StepReport& r) {
    if (r.step == 3) run.model.flat()[100] = std::numeric_limits<float>::quiet_NaN();
  };
  CHECK(run.trainer.run(control) == Outcome::failed);
  CHECK(run.trainer.state().step == 3);
}

TEST_CASE("milestone: reverses digits, 99 of 100 exactly", "[slow]") {
  for (const Norm norm : {Norm::pre, Norm::post}) CHECK(share_after_training<Dev>(norm, digit_plan(20), 2) >= 0.99);
}
