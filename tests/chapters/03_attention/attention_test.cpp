#include "chapters/03_attention/attention_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
void judge_devices(const AttentionCase& c) {
  const Component judged = component(c);
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    expect(contract(judged, r));
  }
}
}  // namespace

TEST_CASE("attention: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(AttentionCase{})));
  expect(gradients(component(causal_case())));
  expect(gradients(component(aligned_case())));
}

TEST_CASE("attention: every device agrees with the reference and keeps the contract") {
  judge_devices(AttentionCase{});
  judge_devices(causal_case());
  judge_devices(aligned_case());
  const Dropout drop{0.2, 20, Side::source};
  judge_devices({{1}, {1}, 1, {1, false, drop}, 0});
  judge_devices({{33}, {33}, 5, {3, true, drop}, 0});
  judge_devices({{1, 1}, {7, 40}, 32, {4, false, drop}, 0});
  judge_devices({{40, 7}, {17, 9}, 32, {2, false, drop}, 0});
}

TEST_CASE("attention: long sentences and wide heads agree with the reference") {
  for (const AttentionCase& c : {AttentionCase{{3}, {1025}, 2, {1, false, {0.2, 20, Side::source}}, 0},
                                 AttentionCase{{1025}, {3}, 2, {2, true, {0.2, 20, Side::source}}, 0},
                                 AttentionCase{{2}, {3}, 1025, {1, false, {}}, 0}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) expect(parity(judged, r));
  }
}

TEST_CASE("attention: an empty batch is legal") {
  for (const AttentionCase& c :
       {AttentionCase{{}, {}, 3, {2, false, {}}, 0}, AttentionCase{{0}, {0}, 3, {2, false, {}}, 0},
        AttentionCase{{}, {}, 3, {2, true, {}}, 3}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) expect(parity(judged, r));
  }
}

TEST_CASE("attention: golden values") {
  expect(golden(component(AttentionCase{}), "attention"));
  expect(golden(component(causal_case()), "attention_causal"));
  expect(golden(component(aligned_case()), "attention_aligned"));
  expect(golden(component(large_logits_case()), "attention_large_logits"));
}

TEST_CASE("attention: a query that sees no key gets zero and passes no gradient on") {
  const Component judged = component(AttentionCase{{4}, {2}, 3, {1, true, {}}, 0});
  for (const Runner& r : judged.devices) {
    Values values = random_values(judged.description);
    std::vector<double>& dy = values.value.at("dy");
    std::fill(dy.begin() + 2 * 3, dy.end(), 0.0);  // of the last two queries, which see keys
    const Run run = r.run(values, {});
    for (std::size_t i = 0; i < 2 * 3; ++i) CHECK(run.output.at("y")[i] == 0);
    CHECK(run.output.at("y")[2 * 3] != 0);
    for (const auto& [name, gradient] : run.gradient) CHECK(gradient == std::vector<double>(gradient.size(), 0.0));
  }
}

TEST_CASE("attention: heads must divide the width") {
  Cpu<double> dev;
  std::vector<double> memory(3 * 4);
  const View<double, 2, Host> x{memory.data(), {3, 4}, 4};
  const SegmentTable one = SegmentTable::packed({3});
  AttentionCache<Cpu<double>> cache;
  for (const std::size_t heads : {0, 3}) {
    CHECK_THROWS_WITH(attention_forward(dev, x, cache, {x, x, x, one.view(), one.view()}, {heads, false, {}}),
                      contains("heads do not divide a width of 4"));
  }
}

TEMPLATE_TEST_CASE("attention: segments must lie inside their rows and have at most the longest length", "",
                   Reference<double>, Cpu<double>) {
  TestType dev;
  std::vector<double> memory(5 * 2);
  const View<double, 2, Host> x{memory.data(), {5, 2}, 2};
  const SegmentTable fits = SegmentTable::packed({2, 3});
  AttentionCache<TestType> cache;
  const auto attend = [&](const SegmentTable& queries, const SegmentTable& keys) {
    attention_forward(dev, x, cache, {x, x, x, queries.view(), keys.view()}, {1, false, {}});
  };
  for (const auto& [begin, length] : {std::pair{3, 3}, {-1, 2}, {1, 4}, {1, -1}}) {
    SegmentTable wrong = fits;
    wrong.begin[1] = begin, wrong.length[1] = length;
    CHECK_THROWS_WITH(attend(wrong, fits), contains("segment 1 of the queries"));
    CHECK_THROWS_WITH(attend(fits, wrong), contains("segment 1 of the keys"));
  }
  CHECK_THROWS_AS(attend(fits, SegmentTable::packed({5})), Error);
}
