#include "10_training/run/plan.hpp"

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "chapters/10_training/plan_changes.hpp"
#include "chapters/10_training/replay.hpp"
#include "gradus/io/safetensors.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<float>;

/// The weights after a short training without a folder.
std::vector<float> weights_after(const TrainingPlan& plan, const ModelConfig& config, std::uint32_t steps) {
  Dev dev;
  const IdPairs pairs = uneven_corpus();
  Model<Dev> model(dev, config);
  initialise(dev, model.flat(), model.layout, {});
  Workers one(1);
  Trainer<Dev> trainer(model, pairs, plan, one);
  TrainingControl control;
  control.max_steps = steps;
  control.validate = [&] { return -static_cast<double>(trainer.state().validations); };  // worse and worse
  trainer.run(control);
  return values_of(dev, model.flat());
}

/// A plan in which every field has an effect: no field on which others depend is 0.
TrainingPlan full_plan() {
  TrainingPlan plan;
  plan.batches = {24, 0, BatchOrder::chance};
  plan.schedule = {ScheduleKind::plateau, 1e-2, 2, 40, 0.5, 1};
  plan.optimiser.adam.update = plan.optimiser.sgd.update = {0.5, 0.1, Decay::decoupled, 0};
  plan.optimiser.sgd.momentum = 0.5;
  plan.micro_batches = 2;
  plan.epochs = 2;
  plan.valid_every = 1;
  plan.patience = 9;
  return plan;
}

/// Fields without an effect on these weights, each with its reason.
const std::map<std::string, std::string> moving_nothing = {
    {"average last", "it decides which weights are kept: the test below, and final_weights_test.cpp of chapter 11"},
    {"products", "only a GPU has other ones: tests/cuda_standin"},
    {"plateau/threshold", "here no score is better than the first: the tests of the plateau below"}};

}  // namespace

TEST_CASE("plan: every field has a row that changes it, and nothing else") {
  std::set<std::string> rows;
  for (const PlanChange& change : plan_changes) {
    TrainingPlan plan;
    change.before(plan);
    TrainingPlan changed = plan;
    change.make(changed);
    INFO(change.field << ": its line in plan_fields.hpp shows another member than its row sets");
    CHECK(differing(plan, changed) == std::vector<std::string>{change.field});
    rows.insert(change.field);
  }
  const TrainingPlan plan;
  std::set<const void*> members;
  each_plan_field(plan, [&](const PlanField& f, const auto& value) {
    INFO(f.recipe << ": it needs a row in tests/chapters/10_training/plan_changes.hpp, and a member of its own");
    CHECK(rows.count(f.recipe) == 1);
    CHECK(members.insert(&value).second);
  });
}

TEST_CASE("plan: every field moves the weights, each in its own way") {
  std::set<std::vector<float>> seen;
  for (const PlanChange& change : plan_changes) {
    if (moving_nothing.count(change.field) != 0) continue;
    TrainingPlan plan = full_plan();
    change.before(plan);
    const auto before = weights_after(plan, uneven_model(), 0);
    change.make(plan);
    const auto after = weights_after(plan, uneven_model(), 0);
    INFO(change.field);
    CHECK(after != before);
    CHECK(seen.insert(after).second);
  }
  TrainingPlan plan = full_plan();
  take_cosine(plan);
  plan.schedule.decay_steps = 0;  // that of the plan
  CHECK(seen.insert(weights_after(plan, uneven_model(), 0)).second);
}

TEST_CASE("plan: how often to save, how many weights to keep and where to stop move no weight") {
  TrainingPlan plan = full_plan();
  const auto expected = weights_after(plan, uneven_model(), 7);
  plan.average_last = 4;
  CHECK(weights_after(plan, uneven_model(), 7) == expected);
  plan.epochs = 9;
  CHECK(weights_after(plan, uneven_model(), 7) == expected);
}

TEST_CASE("model: every choice of the model moves the weights that a training ends with") {
  const TrainingPlan plan = full_plan();
  std::set<std::vector<float>> seen{weights_after(plan, uneven_model(), 3)};
  const std::vector<std::pair<std::string, std::function<void(ModelConfig&)>>> changes{
      {"norm", [](auto& c) { c.norm = Norm::post; }},
      {"activation", [](auto& c) { c.activation = Activation::gelu; }},
      {"tying", [](auto& c) { c.tying = Tying::none; }},
      {"heads", [](auto& c) { c.heads = 3; }},
      {"ffn", [](auto& c) { c.ffn = 6; }},
      {"d_model", [](auto& c) { c.d_model = 8; }},
      {"encoder_layers", [](auto& c) { c.encoder_layers = 2; }},
      {"decoder_layers", [](auto& c) { c.decoder_layers = 1; }},
      {"attention_bias", [](auto& c) { c.attention_bias = true; }},
      {"attention_output_bias", [](auto& c) { c.attention_output_bias = true; }},
      {"output_bias", [](auto& c) { c.output_bias = true; }},
      {"scale_embedding", [](auto& c) { c.scale_embedding = false; }},
      {"embedding_rate", [](auto& c) { c.embedding_rate = 0; }},
      {"attention_rate", [](auto& c) { c.attention_rate = 0; }},
      {"activation_rate", [](auto& c) { c.activation_rate = 0; }},
      {"residual_rate", [](auto& c) { c.residual_rate = 0; }}};
  for (const auto& [name, apply] : changes) {
    ModelConfig config = uneven_model();
    apply(config);
    INFO(name);
    CHECK(seen.insert(weights_after(plan, config, 3)).second);
  }
}

TEST_CASE("plan: scores count patience, and the plateau, which runs out more than once") {
  TrainingPlan plan;
  plan.schedule.kind = ScheduleKind::plateau;
  plan.schedule.patience = 1;
  plan.patience = 5;
  TrainingState state;
  const auto note = [&](double score, bool is_best, std::uint32_t since_best, std::uint32_t reductions) {
    CHECK(note_score(state, plan, score) == is_best);
    CHECK(state.since_best == since_best);
    CHECK(state.reductions == reductions);
  };
  note(-3, true, 0, 0);
  note(-4, false, 1, 0);
  note(-3, false, 2, 1);  // an equal score is not better
  note(-3.5, false, 3, 1);
  note(-9, false, 4, 2);
  CHECK_FALSE(state.finished);
  note(-2, true, 0, 2);  // a better one resets the patience, and the rate stays
  note(-2.5, false, 1, 2);
  note(-1.99999, true, 0, 3);  // the best so far, but not better by the plateau's threshold
  note(-2.25, false, 1, 3);
  note(-2.25, false, 2, 4);
  note(-2.25, false, 3, 4);
  note(-2.25, false, 4, 5);
  CHECK_FALSE(state.finished);
  note(-2.25, false, 5, 5);
  CHECK(state.finished);
  CHECK(state.best == -1.99999);
  CHECK(state.plateau_best == -2);
  CHECK(state.validations == 13);
}

TEST_CASE(
    "plan: the plateau leaves the first validations out, and takes no loss that is no number for a better one") {
  TrainingPlan plan;
  plan.schedule.kind = ScheduleKind::plateau;
  plan.schedule.patience = 0;
  plan.schedule.delay = 3;
  TrainingState state;
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const double score : {-1.0, -2.0, -3.0, -4.0}) note_score(state, plan, score);
  CHECK(state.plateau_best == -4);  // the fourth is the first that counts
  CHECK(state.reductions == 0);
  note_score(state, plan, none);
  CHECK(state.reductions == 1);
  note_score(state, plan, -3.5);
  CHECK(state.reductions == 1);
}

/// ReduceLROnPlateau itself: tests/golden/make_10_training.py.
TEST_CASE("plan: the plateau's rates are PyTorch's, validation by validation") {
  const SafetensorsFile file = SafetensorsFile::load(std::string(GRADUS_GOLDEN) + "/plateau.safetensors");
  const auto settings = file.values<double>("settings"), losses = file.values<double>("losses"),
             rates = file.values<double>("rates");
  const std::size_t validations = file.shape("losses")[1];
  for (std::size_t run = 0; run < file.shape("losses")[0]; ++run) {
    TrainingPlan plan;
    Schedule& s = plan.schedule;
    s.kind = ScheduleKind::plateau, s.warmup = 0;
    s.peak = settings[4 * run], s.factor = settings[4 * run + 1], s.threshold = settings[4 * run + 3];
    s.patience = static_cast<std::uint32_t>(settings[4 * run + 2]);
    TrainingState state;
    for (std::size_t i = 0; i < validations; ++i) {
      INFO("setting " << run << ", validation " << i);
      note_score(state, plan, -losses[run * validations + i]);
      REQUIRE(learning_rate(s, 1, state.reductions) == Approx(rates[run * validations + i]).epsilon(1e-12));
    }
  }
}

TEST_CASE("plan: only the plateau is reduced, and without patience nothing ends early") {
  for (const ScheduleKind kind :
       {ScheduleKind::constant, ScheduleKind::inverse_sqrt, ScheduleKind::linear, ScheduleKind::cosine}) {
    TrainingPlan plan;
    plan.schedule.kind = kind;
    plan.schedule.patience = 0;
    TrainingState state;
    for (const double score : {1.0, 0.0, 0.0, 0.0}) note_score(state, plan, score);
    CHECK(state.reductions == 0);
    CHECK(state.since_best == 3);
    CHECK_FALSE(state.finished);
  }
}

TEST_CASE("plan: a short run has a warm-up of an eighth of its steps, a long one the whole warm-up") {
  IdPairs pairs;
  for (std::int32_t i = 0; i < 22; ++i) pairs.source.push_back({4, 5}), pairs.target.push_back({4});
  TrainingPlan plan;
  plan.batches.sentences = 3;  // 8 steps an epoch
  plan.schedule.warmup = 13;
  for (std::uint32_t epochs = 1; epochs <= 20; ++epochs) {
    plan.epochs = epochs;
    REQUIRE(planned_steps(plan, pairs) == 8 * epochs);
    CHECK(warmup_that_fits(plan, pairs) == std::min(13U, epochs));
  }
  plan.batches.sentences = 5, plan.epochs = 1;  // 5 steps
  CHECK(warmup_that_fits(plan, pairs) == 0);
  plan.epochs = 5;  // 25
  CHECK(warmup_that_fits(plan, pairs) == 3);
  plan.schedule.warmup = 0;
  CHECK(warmup_that_fits(plan, pairs) == 0);
}
