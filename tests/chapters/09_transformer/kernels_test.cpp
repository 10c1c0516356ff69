#include <cmath>
#include <limits>
#include <utility>

#include "chapters/09_transformer/kernel_cases.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("log_probs_top_k: every judge accepts the kernel", "[gradients]") {
  each_choice_kernel([](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEST_CASE("log_probs_top_k: the kernel gives the golden values, logits of thousands and equal ones among them") {
  expect(golden(with_kernels(LogProbsTopKCase{}), "log_probs_top_k"));
}

TEST_CASE("log_probs_top_k: the kernel breaks ties by id, across warps and rounds, and puts minus infinity last") {
  constexpr double never = -std::numeric_limits<double>::infinity();
  constexpr std::size_t vocab = 600;  // more than a block has threads
  const Component judged = with_kernels(LogProbsTopKCase{1, vocab, 6});
  Values all_equal, few;
  all_equal.value["logits"].assign(vocab, 2.0);
  few.value["logits"].assign(vocab, never);
  for (const std::size_t v : {599U, 512U, 40U, 8U}) few.value["logits"][v] = v == 40 ? 3 : 1;
  for (const Runner& r : judged.devices) {
    CHECK(r.run(all_equal, {}).output.at("ids") == std::vector<double>{0, 1, 2, 3, 4, 5});
    const Run run = r.run(few, {});
    CHECK(run.output.at("ids") == std::vector<double>{40, 8, 512, 599, 0, 1});
    CHECK(std::isfinite(run.output.at("scores")[3]));
    CHECK(run.output.at("scores")[4] == never);
  }
}

TEST_CASE("log_probs_top_k: the best words of one thread all come, and none of the row behind") {
  const std::pair<std::size_t, std::vector<double>> best[] = {{64, {0, 1, 2, 3}}, {1100, {0, 512, 1024, 1}}};
  for (const auto& [vocab, ids] : best) {
    const Component judged = with_kernels(LogProbsTopKCase{2, vocab, 4});
    Values v;
    for (const double first : {10.0, 9.5}) {  // of a row; a block has at most 512 threads
      for (std::size_t i = 0; i < vocab; ++i) {
        const auto word = static_cast<double>(i);
        v.value["logits"].push_back(i % 512 == 0 ? first - word / 512 : -word);
      }
    }
    std::vector<double> expected = ids;
    expected.insert(expected.end(), ids.begin(), ids.end());
    for (const Runner& r : judged.devices) CHECK(r.run(v, {}).output.at("ids") == expected);
  }
}

TEST_CASE("log_probs_top_k: a logit that is no number shows in every score of its row, and the ids are words") {
  const Component judged = with_kernels(LogProbsTopKCase{1, 40, 40});
  Values v = random_values(judged.description);
  v.value["logits"][7] = std::numeric_limits<double>::quiet_NaN();
  for (const Runner& r : judged.devices) {
    const Run run = r.run(v, {});
    for (std::size_t k = 0; k < 40; ++k) {
      CHECK(std::isnan(run.output.at("scores")[k]));
      CHECK(run.output.at("ids")[k] >= 0);
      CHECK(run.output.at("ids")[k] < 40);
    }
  }
}

// Last, because it takes longest.
TEST_CASE("transformer: every judge accepts it on kernels", "[gradients]") {
  each_transformer_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}
