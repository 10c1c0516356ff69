#include <set>

#include "chapters/11_translator/decoder_step_case.hpp"
#include "chapters/11_translator/past_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

template <class Case>
void expect_on_every_device(const Case& c) {
  const Component judged = component(c);
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    expect(contract(judged, r));
  }
}

View<double, 2, Host> matrix(std::vector<double>& v, std::size_t columns) {
  return {v.data(), {v.size() / columns, columns}, columns};
}
View<const std::int32_t, 1, Host> ints(const std::vector<std::int32_t>& v) {
  return {v.data(), {v.size()}, v.size()};
}

}  // namespace

TEST_CASE("past: every device agrees with the reference and keeps the contract") {
  expect_on_every_device(CacheAppendCase{});
  expect_on_every_device(CacheAppendCase{33, {0}});
  expect_on_every_device(CacheAppendCase{1025, {1, 0}});
  expect_on_every_device(CacheSelectCase{});
  expect_on_every_device(CacheSelectCase{33, 1, {0, 0, 0}, {2, 1, 0}});
}

TEMPLATE_TEST_CASE("past: finished beams write nothing, and other rows stay as they are", "", Reference<double>,
                   Cpu<double>) {
  TestType dev;
  std::vector<double> past{1, 2, 3, 4, 5, 6, 7, 8}, x{10, 20, 30, 40, 50, 60};
  const auto c = matrix(past, 2);
  past_append(dev, c, matrix(x, 2), ints({2, -1, 0}));
  CHECK(past == std::vector<double>{50, 60, 3, 4, 10, 20, 7, 8});
  past_select(dev, c, c, ints({0, 0, 2}), ints({1, -1, 3}));  // in place
  CHECK(past == std::vector<double>{50, 60, 50, 60, 10, 20, 10, 20});
  past_select(dev, c, matrix(x, 2), ints({2, 0}), ints({0, -1}));
  CHECK(past == std::vector<double>{50, 60, 50, 60, 10, 20, 10, 20});
  past_append(dev, c, In<TestType, 2>{x.data(), {0, 2}, 2}, ints({}));
  past_select(dev, c, c, ints({}), ints({}));
  CHECK(past == std::vector<double>{50, 60, 50, 60, 10, 20, 10, 20});
}

TEMPLATE_TEST_CASE("past: rows that do not exist, and rows both read and written, are refused", "",
                   Reference<double>, Cpu<double>) {
  TestType dev;
  std::vector<double> past(8), x(4);
  const auto c = matrix(past, 2);
  CHECK_THROWS_WITH(past_append(dev, c, matrix(x, 2), ints({0, 4})), contains("names row 4 of 4"));
  CHECK_THROWS_AS(past_append(dev, c, matrix(x, 2), ints({-2, 0})), Error);
  CHECK_THROWS_AS(past_select(dev, c, c, ints({4}), ints({0})), Error);
  CHECK_THROWS_AS(past_select(dev, c, c, ints({-1}), ints({0})), Error);
  CHECK_THROWS_WITH(past_select(dev, c, c, ints({0, 1}), ints({1, 2})), contains("both read and written"));
  CHECK_THROWS_AS(past_select(dev, c, c, ints({0, 1}), ints({2})), Error);
}

TEST_CASE("decoder step: the rows of a growing, branching, dying batch are those of the decoder on all words") {
  for (const DecoderStepCase& c :
       {DecoderStepCase{Norm::pre, false, 3, 5}, DecoderStepCase{Norm::post, true, 3, 6},
        DecoderStepCase{Norm::pre, true, 4, 7}, DecoderStepCase{Norm::post, false, 1, 8},
        DecoderStepCase{Norm::pre, false, 6, 9}, DecoderStepCase{Norm::post, true, 3, 10, true},
        DecoderStepCase{Norm::pre, false, 3, 5, false, DecoderUnit::ssru},
        DecoderStepCase{Norm::post, false, 6, 9, true, DecoderUnit::ssru},
        DecoderStepCase{Norm::pre, true, 1, 8, false, DecoderUnit::ssru}}) {
    const Component judged = stepwise(c);
    for (const Runner& r : judged.devices) expect(parity(judged, r));
  }
}

TEST_CASE("decoder step: the beams of that test branch, inherit spans and end") {
  std::size_t inherited = 0, steps = 0, least = 100, most = 0, beside = 0;
  std::vector<std::size_t> begun;   // of each batch: the step with which it begins
  std::set<std::size_t> all_first;  // their first source rows
  const DecoderStepCase c;
  for (DecodingScript s(c.config(), c.width, c.seed); s.batch().open(); s.next(), ++steps) {
    const StepTable step = s.batch().step();
    inherited += step.from.size();
    least = std::min(least, step.ids.size());
    most = std::max(most, step.ids.size());
    for (const auto& b : s.begins()) {
      begun.push_back(steps), all_first.insert(b.first);
      beside += steps > 0 && step.sources.begin.size() > s.begins().size();
    }
  }
  CHECK(inherited > 10);
  CHECK(steps == 10);
  CHECK(most == 9);
  CHECK(least <= 3);
  REQUIRE(begun.size() == 4);
  CHECK((begun[0] == 0 && begun[1] == 0 && begun[2] > 0));
  CHECK(all_first.size() < 4);  // a place is used again
  CHECK(beside > 0);            // while another batch is open
}
