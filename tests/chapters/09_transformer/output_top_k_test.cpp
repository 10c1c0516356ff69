#include "chapters/09_transformer/output_top_k_case.hpp"

#include <cmath>
#include <limits>

#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Rows (one number each) and a table of one column: the logits of a row are a multiple of the table.
Values one_column(const std::vector<double>& rows, const std::vector<double>& table) {
  Values v;
  v.value["x"] = rows;
  v.value["table"] = table;
  return v;
}

}  // namespace

TEST_CASE("output_top_k: every device is the reference") {
  for (OutputTopKCase c : {OutputTopKCase{},
                           {1, 1, 1, 1},
                           {3, 5, 33, 33},
                           {2, 16, 1025, 5},
                           {0, 3, 7, 2},
                           {6, 8, 64, 1},
                           {17, 12, 128, 7, false},
                           {13, 4, 300, 10, true, false, 30.0}}) {
    for (const bool panels : {false, true}) {
      c.panels = panels;
      const Component judged = component(c);
      for (const Runner& r : judged.devices) expect(parity(judged, r));
    }
  }
}

TEST_CASE("output_top_k: golden values, logits too large for exp and equal ones among them") {
  for (const bool panels : {false, true}) {
    expect(golden(component(OutputTopKCase{5, 6, 70, 4, true, panels}), "output_top_k"));
  }
}

TEST_CASE("output_top_k: panels change no bit, nor do the other rows") {
  OutputTopKCase c{19, 24, 200, 6};
  const Component judged = component(c);
  const Values v = random_values(judged.description);
  c.panels = true;
  const Component with_panels = component(c);
  for (std::size_t d = 1; d < judged.devices.size(); ++d) {  // the reference leaves the order of its sums to BLAS
    const Run all = judged.devices[d].run(v, {});
    CHECK(with_panels.devices[d].run(v, {}).output == all.output);
    for (const std::size_t first : {0, 5, 6, 18}) {
      Values one;
      for (const char* name : {"table", "bias"}) one.value[name] = v.value.at(name);
      const auto row = v.value.at("x").begin() + static_cast<std::ptrdiff_t>(first * c.D);
      one.value["x"].assign(row, row + static_cast<std::ptrdiff_t>(c.D));
      const Run alone = component(OutputTopKCase{1, c.D, c.vocab, c.K, true, true}).devices[d].run(one, {});
      for (std::size_t k = 0; k < c.K; ++k) {
        CHECK(alone.output.at("scores")[k] == all.output.at("scores")[first * c.K + k]);
        CHECK(alone.output.at("ids")[k] == all.output.at("ids")[first * c.K + k]);
      }
    }
  }
}

TEST_CASE("output_top_k: equal words come in the order of their ids, in one panel and in several") {
  const Component judged = component(OutputTopKCase{2, 1, 200, 6, false});
  std::vector<double> few(200, 1.0);
  for (const std::size_t best : {7, 8, 63, 64, 199}) few[best] = 2;
  for (const Runner& r : judged.devices) {
    const Run run = r.run(one_column({1, 3}, few), {});
    CHECK(run.output.at("ids") == std::vector<double>{7, 8, 63, 64, 199, 0, 7, 8, 63, 64, 199, 0});
  }
}

TEST_CASE("output_top_k: the largest logit may stand in any panel, far above or below the others") {
  constexpr std::size_t vocab = 150;
  const Component judged = component(OutputTopKCase{2, 1, vocab, 2, false});
  for (const std::size_t best : {0, 31, 32, 63, 64, 149}) {
    std::vector<double> table(vocab, -500.0);
    table[best] = 500;
    for (const Runner& r : judged.devices) {
      const Run run = r.run(one_column({10, -10}, table), {});  // row 1: all words but one are equal
      CHECK(run.output.at("ids")[0] == double(best));
      CHECK(run.output.at("scores")[0] == 0.0);
      CHECK(run.output.at("scores")[1] == -10000.0);
      CHECK(run.output.at("ids")[2] == (best == 0 ? 1.0 : 0.0));
      CHECK(run.output.at("scores")[2] == Approx(-std::log(149.0)));
    }
  }
}

TEST_CASE("output_top_k: minus infinity forbids a word, whole panels of them too; no number shows in every score") {
  constexpr double never = -std::numeric_limits<double>::infinity();
  const Component judged = component(OutputTopKCase{1, 1, 200, 3, false});
  std::vector<double> table(200, never);
  table[130] = 2, table[140] = 1, table[199] = 1;
  for (const Runner& r : judged.devices) {
    const Run run = r.run(one_column({1}, table), {});
    CHECK(run.output.at("ids") == std::vector<double>{130, 140, 199});
    CHECK(run.output.at("scores")[0] == Approx(-std::log(1 + 2 * std::exp(-1.0))));
  }
  table.assign(200, 1.0);
  table[77] = std::numeric_limits<double>::quiet_NaN();
  for (const Runner& r : judged.devices) {
    const Run run = r.run(one_column({1}, table), {});
    for (const double score : run.output.at("scores")) CHECK(std::isnan(score));
  }
}

TEST_CASE("output_top_k: strides are obeyed, inputs left alone, wrong shapes refused") {
  const Component judged = component(OutputTopKCase{});
  const Values v = random_values(judged.description);
  for (const Runner& r : judged.devices) {
    RunOptions strided;
    strided.strided = true;
    CHECK(r.run(v, strided).output == r.run(v, {}).output);
    CHECK(r.run(v, {}).inputs_unchanged);
    for (const char* name : {"scores", "x", "bias"}) {
      RunOptions shrunk;
      shrunk.shrunk = name;
      CHECK_THROWS_AS(r.run(v, shrunk), Error);
    }
    const Component too_many = component(OutputTopKCase{2, 3, 3, 4}), none = component(OutputTopKCase{2, 3, 3, 0});
    CHECK_THROWS_AS(too_many.devices[1].run(random_values(too_many.description), {}), Error);
    CHECK_THROWS_AS(none.devices[1].run(random_values(none.description), {}), Error);
  }
}
