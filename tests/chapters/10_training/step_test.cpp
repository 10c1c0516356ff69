#include "10_training/step/step.hpp"

#include <cmath>

#include "chapters/10_training/replay.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<double>;
using Values = std::vector<double>;

/// Weights and moments, computed by this file.
struct Expected {
  Values w, m, v;
};

/// Which of the flat weights are matrices of linear maps, by their names: only these decay.
std::vector<bool> is_matrix(const Layout& layout) {
  std::vector<bool> result(layout.size(), false);
  for (const Slice& s : layout.slices()) {
    const std::string last = s.name.substr(s.name.rfind('.') + 1);
    const bool matrix = last == "wqkv" || last == "wo" || last == "w";
    for (std::size_t i = s.offset; i < s.offset + s.size(); ++i) result[i] = matrix;
  }
  return result;
}

/// Which of them belong to a frozen part, by their names.
std::vector<bool> is_frozen(const Layout& layout, const FrozenParts& frozen) {
  std::vector<bool> result(layout.size(), false);
  for (const Slice& s : layout.slices()) {
    const std::string part = s.name.substr(0, s.name.find('.'));
    const bool stays = (frozen.encoder && part == "encoder") || (frozen.decoder && part == "decoder") ||
                       (frozen.embeddings && (part == "source_embedding" || part == "target_embedding"));
    for (std::size_t i = s.offset; i < s.offset + s.size(); ++i) result[i] = stays;
  }
  return result;
}

double norm_of(const Values& g) {
  double sum = 0;
  for (const double x : g) sum += x * x;
  return std::sqrt(sum);
}

/// Equations 10.4 to 10.7, one number at a time.
void update(Expected& e, const Values& g, const std::vector<bool>& decays, const OptimiserOptions& o, double t,
            double rate) {
  const UpdateOptions& u = o.kind == Optimiser::adam ? o.adam.update : o.sgd.update;
  const double norm = norm_of(g), factor = u.clip > 0 && norm > u.clip ? u.clip / norm : 1;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double decay = decays[i] ? u.weight_decay * e.w[i] : 0;
    const double x = factor * g[i] + (u.decay == Decay::decoupled ? 0 : decay);
    double step = 0;
    if (o.kind == Optimiser::adam) {
      e.m[i] = o.adam.beta1 * e.m[i] + (1 - o.adam.beta1) * x;
      e.v[i] = o.adam.beta2 * e.v[i] + (1 - o.adam.beta2) * x * x;
      const double m = e.m[i] / (1 - std::pow(o.adam.beta1, t)), v = e.v[i] / (1 - std::pow(o.adam.beta2, t));
      step = m / (std::sqrt(v) + o.adam.epsilon);
    } else {
      step = e.m[i] = o.sgd.momentum * e.m[i] + x;
    }
    e.w[i] -= rate * (step + (u.decay == Decay::decoupled ? decay : 0));
  }
}

double largest_difference(const Values& a, const Values& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

OptimiserOptions optimiser(Optimiser kind, const UpdateOptions& update) {
  OptimiserOptions o;
  o.kind = kind;
  o.adam = {0.8, 0.9, 1e-3, update};
  o.sgd = {0.6, update};
  return o;
}

/// Three steps on two batches; compares each update with the formula, for the gradient that the step left in slot
/// 0. Returns the weights after them.
Values expect_formula(const OptimiserOptions& o, std::size_t micro_batches) {
  Dev dev;
  Model<Dev> model(dev, uneven_model());
  initialise(dev, model.flat(), model.layout, {});
  const IdPairs pairs = uneven_corpus();
  Corpus<Dev> corpus(dev, pairs, {});
  corpus.set_batches(dev, {{3, 1, 4, 2, 25}, {9, 0, 7}});
  Workers two(2);
  TrainingStep<Dev> training(model, corpus, micro_batches, 0.1, o, two);
  std::vector<bool> decays = is_matrix(model.layout);
  const std::vector<bool> frozen = is_frozen(model.layout, o.frozen);
  const std::size_t n = model.layout.size();
  for (std::size_t i = 0; i < n; ++i) decays[i] = (decays[i] || o.decays_all) && !frozen[i];
  const Values first = values_of(dev, model.flat());
  Expected e{values_of(dev, model.flat()), Values(n, 0.0), Values(n, 0.0)};
  for (std::uint32_t t = 1; t <= 3; ++t) {
    const double rate = 0.01 * t;
    const StepResult result = training.run(t % 2, {5, t, rate});
    const Values g = values_of(dev, training.slot(0).gradients.flat());
    for (std::size_t i = 0; i < n; ++i) CHECK_FALSE((frozen[i] && g[i] != 0));
    CHECK(result.gradient_norm == Approx(norm_of(g)).epsilon(1e-13));
    CHECK(result.failed_step == 0);
    update(e, g, decays, o, t, rate);
    CHECK(largest_difference(values_of(dev, model.flat()), e.w) <= 1e-14);
    CHECK(largest_difference(values_of(dev, training.first_moment()), e.m) <= 1e-14);
    CHECK(largest_difference(values_of(dev, training.second_moment()), e.v) <= 1e-14);
  }
  const Values last = values_of(dev, model.flat());
  for (std::size_t i = 0; i < n; ++i) CHECK_FALSE((frozen[i] && last[i] != first[i]));
  return last;
}

}  // namespace

TEST_CASE("training step: clipping, decay and moments are those of the formulas, for every choice of them") {
  const double never_reached = 1e6, always_reached = 0.05;
  for (const Optimiser kind : {Optimiser::adam, Optimiser::sgd}) {
    std::vector<Values> seen;
    for (const UpdateOptions& u : {UpdateOptions{0, 0, Decay::decoupled, 0},
                                   {always_reached, 0, Decay::decoupled, 0},
                                   {0, 0.3, Decay::decoupled, 0},
                                   {0, 0.3, Decay::coupled, 0},
                                   {always_reached, 0.3, Decay::decoupled, 0},
                                   {always_reached, 0.3, Decay::coupled, 0}}) {
      INFO((kind == Optimiser::adam ? "Adam" : "SGD") << ", clip " << u.clip << ", decay " << u.weight_decay
                                                      << (u.decay == Decay::decoupled ? "" : " coupled"));
      seen.push_back(expect_formula(optimiser(kind, u), 3));
      for (std::size_t i = 0; i + 1 < seen.size(); ++i) CHECK(largest_difference(seen[i], seen.back()) > 1e-5);
    }
    const Values high = expect_formula(optimiser(kind, {never_reached, 0, Decay::decoupled, 0}), 3);
    CHECK(largest_difference(high, seen[0]) == 0);  // a gradient below the limit is not changed
  }
}

TEST_CASE("training step: the update does not depend on how many slots share it") {
  for (const Optimiser kind : {Optimiser::adam, Optimiser::sgd}) {
    const OptimiserOptions o = optimiser(kind, {0.05, 0.3, Decay::decoupled, 0});
    const Values one = expect_formula(o, 1);
    for (const std::size_t micro_batches : {2, 5, 8}) {
      CHECK(largest_difference(expect_formula(o, micro_batches), one) <= 1e-12);
    }
  }
}

TEST_CASE("training step: frozen parts stay as they are, and nothing else changes its formula") {
  for (const Optimiser kind : {Optimiser::adam, Optimiser::sgd}) {
    for (const Decay decay : {Decay::decoupled, Decay::coupled}) {
      OptimiserOptions o = optimiser(kind, {0.05, 0.3, decay, 0});
      o.decays_all = decay == Decay::coupled;
      const Values free = expect_formula(o, 3);
      for (bool FrozenParts::*part : {&FrozenParts::embeddings, &FrozenParts::encoder, &FrozenParts::decoder}) {
        o.frozen = {};
        o.frozen.*part = true;
        CHECK(largest_difference(expect_formula(o, 3), free) > 1e-5);
        CHECK(largest_difference(expect_formula(o, 8), expect_formula(o, 1)) <= 1e-12);
      }
    }
  }
}

TEST_CASE("training step: a model that is frozen as a whole is refused") {
  Layout layout;
  for (const char* name : {"source_embedding", "encoder.0.w", "decoder.0.w"})
    layout.declare({name, Kind::weight, {2, 2}, 1, 0, false});
  layout.finish();
  CHECK(parameter_runs(layout, {}).size() == 1);
  CHECK(parameter_runs(layout, {true, false, true}).size() == 3);
  CHECK_THROWS_AS(parameter_runs(layout, {true, true, true}), UsageError);
}

TEST_CASE("training step: seed, step and smoothing each decide the gradient, the rate does not") {
  Dev dev;
  const IdPairs pairs = uneven_corpus();
  Corpus<Dev> corpus(dev, pairs, {});
  corpus.set_batches(dev, {{3, 1, 4, 2, 25}, {9, 0, 7}});
  Workers one(1);
  const auto loss = [&](std::size_t batch, const StepState& state, double smoothing) {
    Model<Dev> model(dev, uneven_model());
    initialise(dev, model.flat(), model.layout, {});
    TrainingStep<Dev> training(model, corpus, 2, smoothing, {}, one);
    return training.run(batch, state).loss;
  };
  const double expected = loss(0, {5, 2, 0.1}, 0.1);
  CHECK(loss(0, {5, 2, 0.2}, 0.1) == expected);
  CHECK(loss(0, {6, 2, 0.1}, 0.1) != expected);
  CHECK(loss(0, {5, 3, 0.1}, 0.1) != expected);
  CHECK(loss(0, {5, 2, 0.1}, 0.2) != expected);
  CHECK(loss(1, {5, 2, 0.1}, 0.1) != expected);
}
