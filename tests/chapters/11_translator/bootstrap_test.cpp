// The paired bootstrap must give sacreBLEU's figures, from the same draws. GRADUS_DATA names the folder of
// Multi30k.
#include "11_translator/metrics/bootstrap.hpp"

#include <cmath>
#include <cstdio>

#include "11_translator/metrics/numpy_random.hpp"
#include "golden_scores.hpp"
#include "multi30k.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

std::string printed(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// All figures that sacreBLEU prints for a system, digit for digit.
std::string printed(const BootstrapResult& r) {
  return printed("%.2f", r.score) + " (" + printed("%.2f", r.mean) + " ± " + printed("%.2f", r.half_width) + ")" +
         (r.p_value ? " p = " + printed("%.4f", *r.p_value) : "");
}

BootstrapResult result_of(const json& system) {
  BootstrapResult r{system.at("score"), system.at("mean"), system.at("ci"), {}};
  if (system.contains("p_value")) r.p_value = system.at("p_value").get<double>();
  return r;
}

void check_equal(const std::vector<MetricResults>& ours, const json& expected) {
  REQUIRE(ours.size() == expected.size());
  for (std::size_t m = 0; m < ours.size(); ++m) {
    CHECK(ours[m].name == expected[m].at("metric").get<std::string>());
    const std::string signature = expected[m].at("signature").get<std::string>() + "|version:gradus-";
    CHECK(ours[m].signature.substr(0, signature.size()) == signature);
    REQUIRE(ours[m].systems.size() == expected[m].at("systems").size());
    for (std::size_t s = 0; s < ours[m].systems.size(); ++s) {
      const BootstrapResult theirs = result_of(expected[m].at("systems")[s]), &one = ours[m].systems[s];
      INFO(ours[m].name << ", system " << s);
      CHECK(printed(one) == printed(theirs));
      CHECK(std::abs(one.mean - theirs.mean) < 1e-9);
      CHECK(std::abs(one.half_width - theirs.half_width) < 1e-9);
    }
  }
}

}  // namespace

TEST_CASE("bootstrap: score, mean, interval and p-value are sacreBLEU's") {
  std::size_t uncertain = 0;
  for (const json& expected : golden().at("paired")) {
    INFO(expected.at("name").get<std::string>());
    BootstrapOptions options;
    options.scoring.lowercase = expected.at("lowercase");
    const std::vector<Sentences> systems = expected.at("systems"), references = expected.at("references");
    const auto results = paired_bootstrap(systems, references, options);
    check_equal(results, expected.at("expected"));
    for (const BootstrapResult& one : results[0].systems)
      uncertain += one.p_value && *one.p_value > 0.002 && *one.p_value < 1;
  }
  CHECK(uncertain >= 5);  // p-values above the smallest possible one
}

TEST_CASE("bootstrap: the draws are numpy's") {
  const auto drawn = [](std::uint32_t seed, std::uint32_t n) {
    NumpyRandom random(seed);
    std::vector<std::uint32_t> numbers(6);
    for (std::uint32_t& number : numbers) number = random.below(n);
    return numbers;
  };
  using Numbers = std::vector<std::uint32_t>;  // numpy.random.default_rng(seed).integers(0, n, size=6)
  CHECK(drawn(12345, 1000) == Numbers{699, 227, 788, 316, 204, 797});
  CHECK(drawn(0, 7) == Numbers{5, 4, 3, 1, 2, 0});
  CHECK(drawn(4294967295U, 3000000000U) ==
        Numbers{657197388, 2728677138, 861854160, 640068962, 1856943907, 2121661999});
  CHECK(drawn(1, 1) == Numbers(6));
}

TEST_CASE("bootstrap: the seed changes only the draws") {
  const json& expected = golden().at("paired")[0];
  const std::vector<Sentences> systems = expected.at("systems"), references = expected.at("references");
  BootstrapOptions other;
  other.seed = 1;
  other.resamples = 200;
  const auto first = paired_bootstrap(systems, references, other)[0],
             again = paired_bootstrap(systems, references, other)[0];
  CHECK(first.signature.find("nrefs:1|bs:200|seed:1|case:mixed|") == 0);
  for (std::size_t s = 0; s < systems.size(); ++s) {
    CHECK(printed(first.systems[s]) == printed(again.systems[s]));
    CHECK(first.systems[s].score == result_of(expected.at("expected")[0].at("systems")[s]).score);
    CHECK(first.systems[s].mean != result_of(expected.at("expected")[0].at("systems")[s]).mean);
  }
}

TEST_CASE("bootstrap: no translations, or no resamples, is an error") {
  CHECK_THROWS_WITH(paired_bootstrap({}, {{"a"}}), contains("needs translations"));
  CHECK_THROWS_WITH(paired_bootstrap({{"a"}, {"a", "b"}}, {{"a"}}),
                    contains("got 2 translations and 1 references"));
  BootstrapOptions none;
  none.resamples = 0;
  CHECK_THROWS_WITH(paired_bootstrap({{"a"}}, {{"a"}}, none), contains("one resample at least"));
}

TEST_CASE("bootstrap: figures of real sentences are sacreBLEU's, where GRADUS_DATA holds them") {
  if (!multi30k_is_here()) return;
  for (const json& expected : golden().at("multi30k_paired")) {
    const Sentences sentences = multi30k(expected.at("file"));
    std::vector<Sentences> systems;
    for (const json& change : expected.at("changes")) systems.push_back(changed(sentences, change));
    check_equal(paired_bootstrap(systems, {sentences}), expected.at("expected"));
  }
}
