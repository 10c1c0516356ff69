#include "10_training/step/step.hpp"
#include "chapters/10_training/replay.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<double>;
using Values = std::vector<double>;

/// A model whose tables are tied or not, all of them with the same values.
ModelConfig joint_model(Tying tying) {
  ModelConfig c = uneven_model().without_dropout();
  c.source_vocab = c.target_vocab = 13;
  c.tying = tying;
  return c;
}

/// The same for every table; gains are 1.
double first_value(const Slice& s, double i) {
  if (s.kind == Kind::gain) return 1;
  return 0.4 * (s.kind == Kind::embedding ? std::sin(1 + i) : std::cos(static_cast<double>(s.name.size()) + 3 * i));
}

/// The gradients of one step, by name, and the loss.
struct Gradients {
  std::map<std::string, Values> of;
  double loss = 0;
};

Gradients gradients(Tying tying) {
  Dev dev;
  Model<Dev> model(dev, joint_model(tying));
  const IdPairs pairs = uneven_corpus();
  for (const Slice& s : model.layout.slices()) {
    for (std::size_t i = 0; i < s.size(); ++i) model.flat()[s.offset + i] = first_value(s, static_cast<double>(i));
  }
  Corpus<Dev> corpus(dev, pairs, {});
  corpus.set_batches(dev, {{3, 1, 4, 2, 25}});
  Workers one(1);
  TrainingStep<Dev> step(model, corpus, 2, 0.1, {}, one);
  Gradients result;
  result.loss = step.run(0, {5, 1, 0}).loss;
  const Values flat = values_of(dev, step.slot(0).gradients.flat());
  for (const Slice& s : model.layout.slices()) {
    const auto begin = flat.begin() + static_cast<std::ptrdiff_t>(s.offset);
    result.of[s.name] = {begin, begin + static_cast<std::ptrdiff_t>(s.size())};
  }
  return result;
}

double largest_difference(const Values& a, const Values& b, const Values& c, const Values& sum) {
  double largest = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) largest = std::max(largest, std::abs(a[i] + b[i] + c[i] - sum[i]));
  return largest;
}

}  // namespace

TEST_CASE("tying: a joint table is one parameter, whose gradient is the sum of those of all its uses") {
  const Gradients none = gradients(Tying::none), output = gradients(Tying::output), all = gradients(Tying::all);
  CHECK(output.loss == none.loss);
  CHECK(all.loss == none.loss);
  CHECK(output.of.size() == none.of.size() - 1);
  CHECK(all.of.size() == none.of.size() - 2);
  const Values &source = none.of.at("source_embedding"), &target = none.of.at("target_embedding"),
               &said = none.of.at("output"), nothing(source.size(), 0.0);
  for (const Values* use : {&source, &target, &said}) {
    CHECK(std::any_of(use->begin(), use->end(), [](double g) { return std::abs(g) > 1e-3; }));
  }
  CHECK(largest_difference(nothing, target, said, output.of.at("target_embedding")) <= 1e-15);
  CHECK(largest_difference(nothing, nothing, source, output.of.at("source_embedding")) <= 1e-15);
  CHECK(largest_difference(source, target, said, all.of.at("source_embedding")) <= 1e-15);
}
