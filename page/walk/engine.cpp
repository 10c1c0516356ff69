#include "walk/engine.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "gradus/util/error.hpp"
#include "live/json.hpp"
#include "walk/walk.hpp"

namespace gradus::page {
namespace {

constexpr std::size_t shown_pairs = 20;

const std::vector<Task>& tasks() {
  static const std::vector<Task> all{six_sentences(), backwards()};
  return all;
}

/// The model that the script has begun, and what it reads.
struct Table {
  const Task* task = nullptr;
  std::unique_ptr<Walk> walk;
  std::string text, problem;
  Numbers numbers;

  const IdPairs& others() const { return task->others; }
  Walk& model() const {
    if (!walk) fail("no model was begun");
    return *walk;
  }
};
Table& table() {
  static Table one;
  return one;
}

/// What `f` returns, or `failed` with a problem.
template <class Result, class F>
Result attempt(Result failed, const F& f) {
  Table& t = table();
  t.problem.clear();
  try {
    return f(t);
  } catch (const std::exception& error) {
    t.problem = error.what();
    return failed;
  }
}

IdPairs pair_of(const IdPairs& pairs, int pair) {
  const auto i = static_cast<std::size_t>(pair);
  return {{pairs.source.at(i)}, {pairs.target.at(i)}};
}

std::string json(const Task& task) {
  std::vector<std::size_t> some(std::min(shown_pairs, task.others.size()));
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = i;
  return R"({"name":)" + quoted(task.name) + R"(,"learnt":)" + (task.has_learnt ? "true" : "false") +
         R"(,"sourceWords":)" + list(task.source_words, quoted) + R"(,"targetWords":)" +
         list(task.target_words, quoted) + R"(,"pairs":)" +
         list(some,
              [&](std::size_t i) {
                return R"({"source":)" + numbers(task.others.source[i]) + R"(,"target":)" +
                       numbers(task.others.target[i]) + "}";
              }) +
         "}";
}

std::string json(const Slice& s) {
  return R"({"name":)" + quoted(s.name) + R"(,"shape":)" + numbers(s.shape) + R"(,"first":)" +
         std::to_string(s.offset) + "}";
}

}  // namespace
}  // namespace gradus::page

using namespace gradus;
using namespace gradus::page;

const char* walk_tasks() {
  static const std::string text = list(tasks(), [](const Task& t) { return json(t); });
  return text.c_str();
}

const char* walk_begin(int task, int without, int seed) {
  return attempt<const char*>(nullptr, [&](Table& t) {
    t.task = &tasks().at(static_cast<std::size_t>(task));
    t.walk = make_walk(*t.task, static_cast<Without>(without), static_cast<std::uint64_t>(seed));
    t.text = list(t.walk->layout().slices(), [](const Slice& s) { return json(s); });
    return t.text.c_str();
  });
}

double* walk_weights() {
  return attempt<double*>(nullptr, [](Table& t) { return t.model().weights().data; });
}

const double* walk_steps(int count, int optimiser, double peak, int warmup, double smoothing) {
  return attempt<const double*>(nullptr, [&](Table& t) {
    const WalkPlan plan{optimiser == 0 ? Optimiser::sgd : Optimiser::adam, peak, static_cast<std::uint32_t>(warmup),
                        smoothing};
    t.numbers.clear();
    for (int i = 0; i < count; ++i) {
      const WalkStep step = t.model().step(plan);
      if (step.result.failed_step != 0) fail("the gradient is not finite any more: the rate is too large");
      t.numbers.insert(t.numbers.end(), {step.result.loss, step.result.gradient_norm, step.rate});
    }
    return t.numbers.data();
  });
}

double walk_score() {
  return attempt(-1.0, [](Table& t) {
    const auto said = t.model().says(t.others());
    double right = 0;
    for (std::size_t i = 0; i < said.size(); ++i) right += said[i] == t.others().target[i] ? 1 : 0;
    return right / static_cast<double>(said.size());
  });
}

const char* walk_says(int pair) {
  return attempt<const char*>(nullptr, [&](Table& t) {
    t.text = numbers(t.model().says(pair_of(t.others(), pair)).front());
    return t.text.c_str();
  });
}

const char* walk_flow(int pair, double smoothing) {
  return attempt<const char*>(nullptr, [&](Table& t) {
    t.numbers.clear();
    t.text = list(t.model().flow(pair_of(t.others(), pair), 0, smoothing), [&](const Tensor& tensor) {
      const std::size_t first = t.numbers.size();
      t.numbers.insert(t.numbers.end(), tensor.numbers.begin(), tensor.numbers.end());
      return json_head(tensor) + R"(,"first":)" + std::to_string(first) + "}";
    });
    return t.text.c_str();
  });
}

const double* walk_numbers() { return table().numbers.data(); }

const char* walk_problem() { return table().problem.c_str(); }
