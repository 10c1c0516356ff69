#include "gpu_check/judge_step.hpp"

#include <cmath>
#include <ostream>

#include "10_training/step.hpp"
#include "gpu_check/corpus.hpp"
#include "gpu_check/early_starts.hpp"
#include "gpu_check/models.hpp"
#include "gpu_check/result.hpp"
#include "gradus/util/error.hpp"

namespace gradus::test {
namespace {

/// What a step computes before it changes a weight.
template <class Real>
struct Computed {
  double loss = 0;
  std::vector<Real> gradient;
  bool operator==(const Computed& o) const { return loss == o.loss && gradient == o.gradient; }
};

/// The same step `times` times, with dropout; at a learning rate of 0 no weight changes. The first is plain, the second may be,
/// the next is recorded, the others are replayed.
template <class Real>
std::vector<Computed<Real>> computed(const StepJudgeOptions& options, Products products, std::size_t times) {
  using Dev = Cuda<Real>;
  const std::size_t words = options.is_tiny ? 40 : 6000, tokens = options.is_tiny ? 60 : 4096;
  const IdPairs pairs = made_pairs(options.is_tiny ? 24 : 800, words);
  Dev dev;
  ModelConfig config = base_model(words, words, 0.2, options.is_tiny);
  config.activation = Activation::gelu;  // relu has a kink: there a rounding changes all of a gradient
  Model<Dev> model(dev, config);
  initialise(dev, model.flat(), model.layout, {});
  Corpus<Dev> corpus(dev, pairs, {});
  corpus.set_batches(dev, batches_in_order(pairs, tokens, 1));
  Workers one(1);
  TrainingStep<Dev> training(model, corpus, 1, 0.1, {}, one, batch_capacity(pairs, {tokens, 0}));
  training.slot(0).dev.choose(products);
  std::vector<Computed<Real>> all(times);
  for (Computed<Real>& one_step : all) {
    StepState state;
    state.seed = 5, state.step = 1, state.learning_rate = 0;
    one_step.loss = training.run(0, state).loss;
    read(dev, one_step.gradient, training.gradient());
  }
  return all;
}

double norm_of_difference(const std::vector<float>& a, const std::vector<double>& b) {
  double squares = a.size() == b.size() ? 0 : NAN;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    squares += std::pow(static_cast<double>(a[i]) - b[i], 2);
  return std::sqrt(squares);
}

double norm(const std::vector<double>& a) { return norm_of_difference(std::vector<float>(a.size()), a); }

bool all_equal(const std::vector<Computed<float>>& steps, const Computed<float>& expected) {
  bool equal = true;
  for (const Computed<float>& step : steps) equal = equal && step == expected;
  return equal;
}

}  // namespace

double step_bound(Products products) {
  switch (products) {
    case Products::tf32:
      return 3e-3;
    case Products::bf16:
      return 3e-2;
    case Products::exact:
      break;
  }
  return 5e-5;
}

std::vector<JudgedStep> judged_steps(const StepJudgeOptions& options) {
  const Computed<double> expected = computed<double>(options, Products::exact, 1).front();
  std::vector<JudgedStep> steps;
  for (const Products products : {Products::exact, Products::tf32, Products::bf16}) {
    const auto found = computed<float>(options, products, 3 + options.replays);
    JudgedStep judged;
    judged.products = products;
    judged.bound = step_bound(products);
    judged.loss = std::abs(found.front().loss / expected.loss - 1);
    judged.gradient = norm_of_difference(found.front().gradient, expected.gradient) / norm(expected.gradient);
    judged.same_bits = all_equal(found, found.front());
    const EarlyStarts early;
    judged.starts_early = gpu::starts_early();
    judged.same_bits_early = all_equal(computed<float>(options, products, found.size()), found.front());
    steps.push_back(judged);
  }
  return steps;
}

bool judge_steps(const StepJudgeOptions& options, const std::string& result, std::ostream& log) {
  bool all_passed = true;
  Members rows;
  for (const JudgedStep& s : judged_steps(options)) {
    const std::string name = std::string("step, ") + name_of(s.products);
    log << name << "  loss " << s.loss << "  gradient " << s.gradient << (s.same_bits ? "" : "  OTHER BITS")
        << (s.same_bits_early ? "" : "  OTHER BITS WITH EARLY STARTS") << (s.passed() ? "\n" : "  WRONG\n");
    rows.emplace_back(name, json_line(Members{{"loss", json(s.loss)},
                                              {"gradient", json(s.gradient)},
                                              {"bound", json(s.bound)},
                                              {"replays", json(static_cast<double>(options.replays))},
                                              {"same_bits", json(s.same_bits)},
                                              {"starts_early", json(s.starts_early)},
                                              {"same_bits_early", json(s.same_bits_early)},
                                              {"passed", json(s.passed())}}));
    all_passed = all_passed && s.passed();
  }
  if (!result.empty()) write_result(result, "judged step", json(rows));
  return all_passed;
}

}  // namespace gradus::test
