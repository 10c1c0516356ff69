#include "measure/gpu_check/judge_step.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "10_training/step/step.hpp"
#include "gradus/util/error.hpp"
#include "measure/gpu_check/corpus.hpp"
#include "measure/gpu_check/early_starts.hpp"
#include "measure/gpu_check/models.hpp"
#include "measure/gpu_check/result.hpp"

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

namespace {

struct Row {
  JudgedStep judged;
  Computed<float> first;

  std::string name() const { return std::string("step, ") + name_of(judged.products); }
  std::string json_text(std::size_t replays) const {
    const JudgedStep& s = judged;
    Members members{{"loss", json(s.loss)},
                    {"gradient", json(s.gradient)},
                    {"bound", json(s.bound)},
                    {"replays", json(static_cast<double>(replays))},
                    {"same_bits", json(s.same_bits)}};
    if (s.same_bits_early) {
      members.emplace_back("starts_early", json(s.starts_early));
      members.emplace_back("same_bits_early", json(*s.same_bits_early));
    }
    members.emplace_back("passed", json(s.passed()));
    return json_line(members);
  }
};

Row judged_row(const StepJudgeOptions& options, Products products, const Computed<double>& expected,
               std::ostream& log) {
  const auto found = computed<float>(options, products, 3 + options.replays);
  Row row{{}, found.front()};
  JudgedStep& s = row.judged;
  s.products = products;
  s.bound = step_bound(products);
  s.loss = std::abs(found.front().loss / expected.loss - 1);
  s.gradient = norm_of_difference(found.front().gradient, expected.gradient) / norm(expected.gradient);
  s.same_bits = all_equal(found, found.front());
  log << name_of(products) << "  loss " << s.loss << "  gradient " << s.gradient
      << (s.same_bits ? "" : "  OTHER BITS") << (s.passed() ? "" : "  WRONG") << std::endl;
  return row;
}

void judge_early(const StepJudgeOptions& options, Row& row, std::ostream& log) {
  const EarlyStarts early;
  JudgedStep& s = row.judged;
  s.starts_early = gpu::starts_early();
  s.same_bits_early = all_equal(computed<float>(options, s.products, 3 + options.replays), row.first);
  log << name_of(s.products) << (*s.same_bits_early ? "  the same bits" : "  OTHER BITS") << " with early starts"
      << (s.starts_early ? "" : ", which are refused here") << std::endl;
}

}  // namespace

Outcome judge_steps(const StepJudgeOptions& options, const std::string& result, std::ostream& log) {
  const Computed<double> expected = computed<double>(options, Products::exact, 1).front();
  Parts parts(options.parts, log);
  std::vector<Row> rows;
  const auto save = [&] {
    Members section;
    for (const Row& row : rows) section.emplace_back(row.name(), row.json_text(options.replays));
    for (const auto& [name, error] : parts.failed())
      section.emplace_back(name, json_line(Members{{"failed", error}, {"passed", json(false)}}));
    if (!result.empty()) write_result(result, "judged step", json(section));
  };
  for (const Products products : {Products::exact, Products::tf32, Products::bf16}) {
    parts.run(std::string("step, ") + name_of(products),
              [&] { rows.push_back(judged_row(options, products, expected, log)); });
    save();
  }
  for (Row& row : rows) {
    parts.run(row.name() + ", early starts", [&] { judge_early(options, row, log); });
    save();
  }
  return parts.outcome(std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.judged.passed(); }));
}

}  // namespace gradus::test
