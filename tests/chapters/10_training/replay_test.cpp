#include "chapters/10_training/replay.hpp"

#include <cstring>

#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<float>;

struct Recipe {
  std::string name;
  TrainingPlan plan;
  std::uint32_t save_every = 0;
};

TrainingPlan plan_with(const Schedule& schedule, const BatchOptions& batches, const UpdateOptions& update) {
  TrainingPlan plan;
  plan.schedule = schedule;
  plan.batches = batches;
  plan.optimiser.adam.update = plan.optimiser.sgd.update = update;
  plan.smoothing = 0.15;
  plan.micro_batches = 3;
  plan.epochs = 3;
  plan.average_last = 3;
  return plan;
}

/// Every schedule, optimiser and decay, and every way to make batches, to validate and to save.
std::vector<Recipe> recipes() {
  const BatchOptions by_tokens{24, 0}, by_length{24, 0, BatchOrder::length}, by_sentences{0, 5};
  const UpdateOptions decoupled{1.2, 0.1, Decay::decoupled, 0}, coupled{1.2, 0.1, Decay::coupled, 0},
      unclipped{0, 0.05, Decay::decoupled, 0};
  std::vector<Recipe> all{
      {"constant", plan_with({ScheduleKind::constant, 1e-2, 0}, by_tokens, decoupled)},
      {"inverse-sqrt", plan_with({ScheduleKind::inverse_sqrt, 2e-2, 4}, by_length, coupled), 4},
      {"linear", plan_with({ScheduleKind::linear, 2e-2, 3}, by_sentences, unclipped), 5},
      {"cosine", plan_with({ScheduleKind::cosine, 2e-2, 5}, by_tokens, decoupled), 7},
      {"cosine to step 9", plan_with({ScheduleKind::cosine, 2e-2, 2, 9}, by_length, {}), 1},
      {"plateau", plan_with({ScheduleKind::plateau, 2e-2, 2, 0, 0.25, 1}, by_tokens, coupled)},
      {"plateau by sentences", plan_with({ScheduleKind::plateau, 2e-2, 0, 0, 0.5, 1}, by_sentences, decoupled), 3}};
  all[3].plan.valid_every = 5;
  all[4].plan.valid_every = 3;
  all[5].plan.valid_every = all[6].plan.valid_every = 2;
  all[5].plan.patience = 5;  // with the scores below: reduced three times, twice in a row, and ended early
  all[2].plan.optimiser.adam.beta1 = 0.8, all[2].plan.optimiser.adam.beta2 = 0.95;
  all[2].plan.optimiser.adam.epsilon = 1e-3;
  all[1].plan.marks = {1, 2, 3};
  return all;
}

/// Best at first, then worse, better, equal, worse.
double score(std::size_t validation) {
  const std::vector<double> scores{-3, -4, -3.5, -2, -2, -2.5, -7, -2.25, -6, -5};
  return scores[validation % scores.size()];
}

template <class Real>
bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

void expect_same_step(const StepReport& found, const StepReport& expected) {
  CHECK(found.step == expected.step);
  CHECK(found.epoch == expected.epoch);
  CHECK(found.batch == expected.batch);
  CHECK(found.batches == expected.batches);
  CHECK(found.source_tokens == expected.source_tokens);
  CHECK(found.target_tokens == expected.target_tokens);
  CHECK(found.loss == expected.loss);
  CHECK(found.gradient_norm == expected.gradient_norm);
  CHECK(found.learning_rate == expected.learning_rate);
}

template <class A, class B>
void expect_same(const Told<A>& found, const Told<B>& expected) {
  CHECK(found.outcome == expected.outcome);
  CHECK(found.state == expected.state);
  REQUIRE(found.steps.size() == expected.steps.size());
  for (std::size_t i = 0; i < found.steps.size(); ++i) expect_same_step(found.steps[i], expected.steps[i]);
  REQUIRE(found.validations.size() == expected.validations.size());
  for (std::size_t i = 0; i < found.validations.size(); ++i) {
    const auto &f = found.validations[i], &e = expected.validations[i];
    INFO("validation " << i);
    CHECK(f.state == e.state);
    CHECK(f.score == e.score);
    CHECK(f.is_best == e.is_best);
    CHECK(same_bits(f.weights, e.weights));
  }
  CHECK(found.saves == expected.saves);
  CHECK(same_bits(found.weights, expected.weights));
  CHECK(same_bits(found.m, expected.m));
  CHECK(same_bits(found.v, expected.v));
}

/// The required content of the folder of a finished run.
template <class D>
void expect_files(const RunFolder& folder, const Layout& layout, const Told<D>& told, std::uint32_t average_last) {
  const auto file = [&](const std::string& name) {
    return load_weights<float>(folder.path() + "/" + name + ".safetensors", layout);
  };
  std::size_t best = 0;
  for (std::size_t i = 0; i < told.validations.size(); ++i) {
    if (told.validations[i].score > told.validations[best].score) best = i;
    if (i + average_last < told.validations.size()) continue;  // a later one replaced it
    CHECK(same_bits(file("recent-" + std::to_string(i % average_last)), told.validations[i].weights));
  }
  CHECK(same_bits(file("best"), told.validations[best].weights));
  const auto snapshot = folder.load<float>(layout, "replay");
  CHECK(snapshot.state == told.state);
  CHECK(snapshot.metadata == "after step " + std::to_string(told.state.step));
  CHECK(same_bits(snapshot.weights, told.weights));
  CHECK(same_bits(snapshot.m, told.m));
  CHECK(same_bits(snapshot.v, told.v));
}

/// Two seeds, Adam and SGD. Only one of the four has a folder, because there every save waits for the disk.
template <class D>
void expect_replayed(Recipe recipe, const std::string& path) {
  const IdPairs pairs = uneven_corpus();
  for (const std::uint64_t seed : {1, 2}) {
    for (const Optimiser kind : {Optimiser::adam, Optimiser::sgd}) {
      recipe.plan.seed = seed;
      recipe.plan.optimiser.kind = kind;
      recipe.plan.optimiser.sgd.momentum = 0.6;
      INFO(recipe.name << ", seed " << seed << (kind == Optimiser::adam ? ", Adam" : ", SGD"));
      std::optional<RunFolder> folder;
      if (kind == Optimiser::adam && seed == 2) folder.emplace(path + "/" + recipe.name);
      TrainingControl control;
      control.save_every = recipe.save_every;
      const auto found = told_by_trainer<D>(uneven_model(), pairs, recipe.plan, control, score, folder);
      auto expected = Replay<D>(uneven_model(), pairs, recipe.plan, recipe.save_every, score).run();
      if (!folder) expected.saves.clear();
      expect_same(found, expected);
      if (folder) expect_files(*folder, transformer_layout<Dev>(uneven_model()), found, recipe.plan.average_last);
    }
  }
}

}  // namespace

TEST_CASE("training: replayed step by step, it has the same bits and tells the same") {
  const TemporaryFolder folder;
  for (const Recipe& recipe : recipes()) expect_replayed<Dev>(recipe, folder.path(""));
}

TEST_CASE("training: a device that runs four steps ahead stops, validates and saves where the others do") {
  const TemporaryFolder folder;
  for (const Recipe& recipe : recipes()) expect_replayed<RunsAhead<Dev>>(recipe, folder.path(""));
}

TEST_CASE("training: stopped twice and resumed, it tells what the replay tells, and ends in the same bits") {
  const IdPairs pairs = uneven_corpus();
  for (Recipe recipe : recipes()) {
    if (recipe.name != "plateau" && recipe.name != "cosine") continue;
    for (const Optimiser kind : {Optimiser::adam, Optimiser::sgd}) {
      recipe.plan.optimiser.kind = kind;
      recipe.plan.optimiser.sgd.momentum = 0.6;
      INFO(recipe.name << (kind == Optimiser::adam ? ", Adam" : ", SGD"));
      const TemporaryFolder folder;
      const RunFolder run(folder.path("run"));
      TrainingControl control;
      control.save_every = recipe.save_every;
      Told<Dev> all;
      for (const std::uint32_t until : {7U, 12U, 0U}) {  // within an epoch, and between two validations
        control.max_steps = until;
        auto part = told_by_trainer<Dev>(uneven_model(), pairs, recipe.plan, control, score, run);
        CHECK(part.resumed == !all.steps.empty());
        CHECK(part.metadata == (part.resumed ? "after step " + std::to_string(all.state.step) : ""));
        part.steps.insert(part.steps.begin(), all.steps.begin(), all.steps.end());
        part.validations.insert(part.validations.begin(), all.validations.begin(), all.validations.end());
        all = part;
      }
      auto expected = Replay<Dev>(uneven_model(), pairs, recipe.plan, recipe.save_every, score).run();
      expected.saves.clear(), all.saves.clear();  // each stop adds one
      expect_same(all, expected);
      if (recipe.name == "plateau") CHECK(all.state.reductions == 3);
    }
  }
}

TEST_CASE("training: what a resumed run saves before its first step is what it found") {
  const TemporaryFolder folder;
  const RunFolder run(folder.path("run"));
  const Layout layout = transformer_layout<Dev>(uneven_model());
  const IdPairs pairs = uneven_corpus();
  TrainingControl control;
  control.max_steps = 3;
  const TrainingPlan plan = recipes()[0].plan;
  told_by_trainer<Dev>(uneven_model(), pairs, plan, control, score, run);
  const auto before = run.load<float>(layout, "replay");
  Dev dev;
  Model<Dev> model(dev, uneven_model());
  Workers one(1);
  Trainer<Dev> trainer(model, pairs, plan, one, run, "replay");
  REQUIRE(trainer.resume());
  trainer.save();  // no other metadata
  const auto after = run.load<float>(layout, "replay");
  CHECK(after.state == before.state);
  CHECK(after.metadata == before.metadata);
  CHECK(same_bits(after.weights, before.weights));
  CHECK(same_bits(after.m, before.m));
  CHECK(same_bits(after.v, before.v));
}

TEST_CASE("training: the replayed recipes do what they are there for") {
  const IdPairs pairs = uneven_corpus();
  for (const Recipe& recipe : recipes()) {
    const auto told = Replay<Dev>(uneven_model(), pairs, recipe.plan, recipe.save_every, score).run();
    INFO(recipe.name);
    const auto clip = recipe.plan.optimiser.adam.update.clip;
    const auto clipped = std::count_if(told.steps.begin(), told.steps.end(),
                                       [&](const StepReport& r) { return clip > 0 && r.gradient_norm > clip; });
    if (clip > 0) CHECK((clipped > 0 && clipped < static_cast<std::ptrdiff_t>(told.steps.size())));
    if (recipe.name == "plateau") {
      CHECK(told.state.reductions == 3);
      CHECK(told.state.epoch <= 3);  // patience ended it, before the epochs
      CHECK(told.validations.size() == 9);
    } else {
      CHECK(told.state.epoch == 4);
    }
  }
}
