#include "chapters/09_transformer/log_probs_top_k_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("log_probs_top_k: every device is the reference") {
  for (const LogProbsTopKCase& c :
       {LogProbsTopKCase{}, {1, 1, 1}, {3, 33, 33}, {2, 1025, 5}, {0, 7, 2}, {6, 40, 1}, {4, 300, 10, 30.0}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) expect(parity(judged, r));
  }
}

TEST_CASE("log_probs_top_k: golden values, logits of thousands and equal ones among them") {
  expect(golden(component(LogProbsTopKCase{}), "log_probs_top_k"));
}

TEST_CASE("log_probs_top_k: all words together have probability one, in descending order, each once") {
  const LogProbsTopKCase c{4, 50, 50};
  const Component judged = component(c);
  for (const Runner& r : judged.devices) {
    const Run run = r.run(random_values(judged.description), {});
    const auto &scores = run.output.at("scores"), &ids = run.output.at("ids");
    for (std::size_t n = 0; n < c.N; ++n) {
      double sum = 0;
      std::vector<double> seen(ids.begin() + long(n * 50), ids.begin() + long(n * 50 + 50));
      for (std::size_t k = 0; k < 50; ++k) {
        sum += std::exp(scores[n * 50 + k]);
        if (k > 0) CHECK(scores[n * 50 + k] <= scores[n * 50 + k - 1]);
      }
      CHECK(sum == Approx(1).epsilon(r.is_double ? 1e-12 : 1e-5));
      std::sort(seen.begin(), seen.end());
      for (std::size_t k = 0; k < 50; ++k) CHECK(seen[k] == double(k));
    }
  }
}

TEST_CASE("log_probs_top_k: minus infinity forbids a word, and of equal ones the smaller id comes first") {
  const double never = -std::numeric_limits<double>::infinity();
  const Component judged = component(LogProbsTopKCase{1, 6, 4});
  for (const Runner& r : judged.devices) {
    Values v;
    v.value["logits"] = {never, 2, 5, 2, 5, never};
    const Run run = r.run(v, {});
    CHECK(run.output.at("ids") == std::vector<double>{2, 4, 1, 3});
    CHECK(std::isfinite(run.output.at("scores")[3]));
  }
}

TEST_CASE("log_probs_top_k: logits decide, even where rounding makes their probabilities equal") {
  const Component judged = component(LogProbsTopKCase{1, 3, 3});
  for (const Runner& r : judged.devices) {
    if (!r.is_double) continue;  // in float the logits are equal already
    Values v;
    v.value["logits"] = {2, std::nextafter(2.0, 3.0), 10};
    CHECK(r.run(v, {}).output.at("ids") == std::vector<double>{2, 1, 0});
  }
}

TEST_CASE("log_probs_top_k: strides are obeyed, inputs left alone, wrong shapes refused") {
  const Component judged = component(LogProbsTopKCase{});
  const Values v = random_values(judged.description);
  for (const Runner& r : judged.devices) {
    RunOptions strided, short_scores;
    strided.strided = true;
    CHECK(r.run(v, strided).output == r.run(v, {}).output);
    CHECK(r.run(v, {}).inputs_unchanged);
    for (const std::size_t axis : {0, 1}) {
      short_scores.shrunk = "scores", short_scores.shrunk_axis = axis;
      CHECK_THROWS_AS(r.run(v, short_scores), Error);
    }
    RunOptions fewer_rows;
    fewer_rows.shrunk = "logits";
    CHECK_THROWS_AS(r.run(v, fewer_rows), Error);
    const Component too_many = component(LogProbsTopKCase{2, 3, 4}), none = component(LogProbsTopKCase{2, 3, 0});
    CHECK_THROWS_AS(too_many.devices[0].run(random_values(too_many.description), {}), Error);
    CHECK_THROWS_AS(too_many.devices[1].run(random_values(too_many.description), {}), Error);
    CHECK_THROWS_AS(none.devices[1].run(random_values(none.description), {}), Error);
  }
}

TEST_CASE("log_probs_top_k: a logit of ten thousand is found wherever it stands, and has probability one") {
  constexpr std::size_t vocab = 37;
  const Component judged = component(LogProbsTopKCase{vocab, vocab, 1});
  Values v;
  v.value["logits"].assign(vocab * vocab, 0.0);
  for (std::size_t n = 0; n < vocab; ++n) v.value["logits"][n * vocab + n] = 1e4;
  for (const Runner& r : judged.devices) {
    const Run run = r.run(v, {});
    for (std::size_t n = 0; n < vocab; ++n) CHECK(run.output.at("ids")[n] == double(n));
    CHECK(run.output.at("scores") == std::vector<double>(vocab, 0.0));
  }
}
