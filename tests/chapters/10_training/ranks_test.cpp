#include <cstring>
#include <filesystem>

#include "chapters/10_training/digits.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/util/error.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"
#include "support/thread_ranks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<float>;
using Texts = std::vector<std::string>;

const IdPairs& corpus() {
  static const IdPairs pairs = reversed_digits(120, 1);
  return pairs;
}

/// What one rank knows at the end.
struct Known {
  std::vector<float> weights;
  std::vector<double> reports;  ///< loss and norm of each step, scores
  std::size_t moments = 0;

  bool operator==(const Known& o) const {
    return weights.size() == o.weights.size() && reports == o.reports &&
           std::memcmp(weights.data(), o.weights.data(), weights.size() * sizeof(float)) == 0;
  }
};

/// Trains on this rank, from the folder's checkpoint if there is one, until `max_steps` (0: to the end).
Known trained(Ranks& ranks, const TrainingPlan& plan, std::size_t threads, const std::string& path,
              std::uint32_t max_steps = 0, DecoderUnit unit = DecoderUnit::attention) {
  Dev dev;
  Model<Dev> model(dev, digit_model(Norm::pre, unit));
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(threads);
  std::optional<RunFolder> folder;
  if (is_first(ranks)) folder.emplace(path);
  Trainer<Dev> trainer(model, corpus(), plan, workers, folder, "digits", ranks);
  trainer.resume();
  Known known;
  TrainingControl control;
  control.max_steps = max_steps;
  control.on_step = [&](const StepReport& r) {
    known.reports.push_back(r.loss);
    known.reports.push_back(r.gradient_norm);
  };
  control.validate = [&] {
    known.reports.push_back(-mean_loss(model, corpus(), {}, workers, ranks));
    return known.reports.back();
  };
  trainer.run(control);
  read(dev, known.weights, In<Dev, 1>(model.flat()));
  known.moments = trainer.step().first_moment().extent[0];
  return known;
}

/// The same on several ranks; all must know the same at the end.
Known trained_by(std::size_t ranks, const TrainingPlan& plan, std::size_t threads, const std::string& path,
                 std::uint32_t max_steps = 0, DecoderUnit unit = DecoderUnit::attention) {
  std::vector<Known> known(ranks);
  const Texts errors =
      on_ranks(ranks, [&](Ranks& one) { known[one.rank()] = trained(one, plan, threads, path, max_steps, unit); });
  REQUIRE(errors == Texts(ranks));
  for (const Known& one : known) CHECK(one == known.front());
  return known.front();
}

bool is_same_file(const std::string& a, const std::string& b, const std::string& name = "checkpoint") {
  return read_file(a + "/" + name + ".safetensors") == read_file(b + "/" + name + ".safetensors");
}

}  // namespace

TEST_CASE("ranks: weights, reports and checkpoints have the same bits for any number of ranks and threads") {
  for (const std::size_t slots : {3, 8}) {
    TrainingPlan plan = digit_plan(2);
    plan.micro_batches = slots;
    const TemporaryFolder folder;
    const Known one = trained_by(1, plan, 1, folder.path("1"));
    REQUIRE(one.reports.size() > 8);
    for (const std::size_t ranks : {2, 3, 4, 8}) {
      if (ranks > slots) continue;
      INFO(ranks << " ranks, " << slots << " micro-batches");
      const std::string path = folder.path(std::to_string(ranks));
      CHECK(trained_by(ranks, plan, ranks % 2 + 1, path) == one);
      for (const char* name : {"checkpoint", "best", "recent-0"}) CHECK(is_same_file(path, folder.path("1"), name));
    }
  }
}

TEST_CASE("ranks: SGD too, with momentum and clipping") {
  TrainingPlan plan = digit_plan(1);
  plan.optimiser.kind = Optimiser::sgd;
  plan.optimiser.sgd = {0.9, {0.1, 0.01, Decay::coupled, 0}};
  const TemporaryFolder folder;
  CHECK(trained_by(3, plan, 1, folder.path("3")) == trained_by(1, plan, 1, folder.path("1")));
  CHECK(is_same_file(folder.path("3"), folder.path("1")));
}

TEST_CASE("ranks: a decoder with an SSRU too, stopped and resumed") {
  const TrainingPlan plan = digit_plan(1);
  const TemporaryFolder folder;
  const auto unit = DecoderUnit::ssru;
  const Known whole = trained_by(1, plan, 1, folder.path("whole"), 0, unit);
  CHECK(trained_by(3, plan, 2, folder.path("3"), 0, unit) == whole);
  trained_by(1, plan, 3, folder.path("run"), 2, unit);
  CHECK(trained_by(2, plan, 1, folder.path("run"), 0, unit).weights == whole.weights);
  for (const char* name : {"3", "run"}) CHECK(is_same_file(folder.path(name), folder.path("whole")));
}

TEST_CASE("ranks: frozen parts too, stopped and resumed") {
  const TemporaryFolder folder;
  const Known all = trained_by(1, digit_plan(1), 1, folder.path("all"));
  for (bool FrozenParts::*part : {&FrozenParts::embeddings, &FrozenParts::encoder, &FrozenParts::decoder}) {
    const TemporaryFolder runs;
    TrainingPlan plan = digit_plan(1);
    plan.optimiser.frozen.*part = true;
    const Known whole = trained_by(1, plan, 1, runs.path("whole"));
    CHECK(whole.weights != all.weights);
    CHECK(trained_by(3, plan, 2, runs.path("3")) == whole);
    trained_by(1, plan, 3, runs.path("run"), 2);
    CHECK(trained_by(2, plan, 1, runs.path("run")).weights == whole.weights);
    for (const char* name : {"3", "run"}) CHECK(is_same_file(runs.path(name), runs.path("whole")));
  }
}

TEST_CASE("ranks: a run that stops and goes on with other numbers of ranks ends in the same bits") {
  const TrainingPlan plan = digit_plan(2);
  const TemporaryFolder folder;
  const Known undisturbed = trained_by(1, plan, 1, folder.path("whole"));
  const std::string path = folder.path("run");
  trained_by(3, plan, 1, path, 1);
  trained_by(8, plan, 1, path, 3);
  trained_by(1, plan, 2, path, 5);
  const Known last = trained_by(2, plan, 1, path);
  CHECK(last.weights == undisturbed.weights);
  CHECK(is_same_file(path, folder.path("whole")));
}

TEST_CASE("ranks: each keeps the moments of its range only") {
  const TemporaryFolder folder;
  const TrainingPlan plan = digit_plan(1);
  std::vector<std::size_t> moments(4);
  on_ranks(4, [&](Ranks& one) { moments[one.rank()] = trained(one, plan, 1, folder.path("run"), 1).moments; });
  Dev dev;
  const std::size_t all = Model<Dev>(dev, digit_model()).layout.size();
  CHECK(moments[0] + moments[1] + moments[2] + moments[3] == all);
  for (const std::size_t one : moments) CHECK(one <= all / 4 + 64);
}

TEST_CASE("ranks: a step moves two times (R - 1) / R model sizes from each rank") {
  Dev dev;
  Model<Dev> model(dev, digit_model());
  const double whole = static_cast<double>(model.layout.size() * sizeof(float));
  for (const std::size_t ranks : {2, 4, 8}) {
    std::vector<double> sent(ranks);
    on_ranks(ranks, [&](Ranks& one) {
      Dev own;
      Model<Dev> mine(own, digit_model());
      initialise(own, mine.flat(), mine.layout, {});
      Corpus<Dev> pairs(own, corpus(), {});
      pairs.set_batches(own, {{0, 1, 2, 3, 4, 5, 6, 7}});
      Workers workers(1);
      TrainingStep<Dev> step(mine, pairs, 8, 0.1, {}, workers, {}, one);
      step.start(0, {1, 1, 1e-3});
      sent[one.rank()] = static_cast<double>(one.bytes_sent());
    });
    double total = 0;
    for (const double one : sent) total += one;
    const double formula = 2 * static_cast<double>(ranks - 1) * whole;  // of all ranks together
    CHECK(total ==
          Approx(formula + static_cast<double>(8 * (ranks - 1) * sizeof(float))).epsilon(1e-12));  // and the norms
  }
}

TEST_CASE("ranks: a disk that fails on rank 0 ends all ranks, and the next start goes on") {
  const TrainingPlan plan = digit_plan(2);
  const TemporaryFolder folder;
  const Known undisturbed = trained_by(1, plan, 1, folder.path("whole"));
  const std::string path = folder.path("run");
  trained_by(2, plan, 1, path, 2);
  std::filesystem::create_directory(path + "/checkpoint-next.safetensors");  // cannot be replaced by a file
  const Texts errors = on_ranks(2, [&](Ranks& one) { trained(one, plan, 1, path); });
  CHECK(errors[0].find("checkpoint-next") != std::string::npos);
  CHECK(errors[1] == "ended with others");
  std::filesystem::remove(path + "/checkpoint-next.safetensors");
  CHECK(trained_by(4, plan, 1, path).weights == undisturbed.weights);
}
