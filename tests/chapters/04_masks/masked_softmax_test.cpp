#include <cmath>
#include <limits>

#include "chapters/04_masks/masked_softmax_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("masked_softmax and dense_dropout: finite differences and dual numbers agree with backward",
          "[gradients]") {
  expect(gradients(component(MaskedSoftmaxCase{})));
  expect(gradients(component(DenseDropoutCase{})));
}

TEST_CASE("masked_softmax: every device agrees with the reference and keeps the contract") {
  for (const MaskedSoftmaxCase& c :
       {MaskedSoftmaxCase{}, MaskedSoftmaxCase{1, 1, 1, 1}, MaskedSoftmaxCase{3, 2, 2, 33},
        MaskedSoftmaxCase{1, 3, 5, 16}, MaskedSoftmaxCase{2, 1, 1, 1025}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
  for (const MaskedSoftmaxCase& c : {MaskedSoftmaxCase{0, 2, 3, 4}, MaskedSoftmaxCase{2, 2, 3, 0}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) expect(parity(judged, r));
  }
}

TEST_CASE("dense_dropout: every device agrees with the reference and keeps the contract") {
  const Component judged = component(DenseDropoutCase{});
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    expect(contract(judged, r));
  }
}

TEST_CASE("masked_softmax and dense_dropout: golden values") {
  expect(golden(component(MaskedSoftmaxCase{}), "masked_softmax"));
  expect(golden(component(MaskedSoftmaxCase{2, 2, 3, 4, 1000}), "masked_softmax_large"));
  expect(golden(component(DenseDropoutCase{}), "dense_dropout"));
}

TEMPLATE_TEST_CASE("dense_dropout: a key's position must lie among the keys", "", Reference<double>, Cpu<double>) {
  TestType dev;
  std::vector<double> memory(2 * 3);
  const View<double, 4, Host> x{memory.data(), {1, 1, 2, 3}, 3};
  const std::vector<std::int32_t> rows{0, 1}, fits{0, 1, 2}, beyond{0, 1, 3};
  const auto drop = [&](const std::vector<std::int32_t>& positions) {
    const View<const std::int32_t, 1, Host> row{rows.data(), {2}, 2}, position{positions.data(), {3}, 3};
    dense_dropout_forward(dev, x, x, Packing<TestType>{as_ids(row, 1, 2), as_ids(position, 1, 3)},
                          Dropout{0.5, 2, Side::target});
  };
  CHECK_NOTHROW(drop(fits));
  CHECK_THROWS_WITH(drop(beyond), contains("key 2 of sentence 0 has position 3"));
}

TEST_CASE("masked_softmax: masked scores have no effect, whatever their value") {
  const Component judged = component(MaskedSoftmaxCase{});
  const std::vector<std::int32_t> mask = MaskedSoftmaxCase{}.mask();
  constexpr std::size_t H = 2, T = 3, S = 4;
  const auto allowed = [&](std::size_t i) { return mask[i / (H * T * S) * T * S + i % (T * S)] != 0; };
  for (const Runner& r : judged.devices) {
    const Values values = random_values(judged.description);
    const Run clean = r.run(values, {});
    for (const double junk : {1e30, std::numeric_limits<double>::infinity(), std::nan("")}) {
      Values dirty = values;
      std::vector<double>& s = dirty.value.at("s");
      for (std::size_t i = 0; i < s.size(); ++i) s[i] = allowed(i) ? s[i] : junk;
      const Run run = r.run(dirty, {});
      CHECK(run.output.at("p") == clean.output.at("p"));
      CHECK(run.gradient.at("s") == clean.gradient.at("s"));
    }
    for (std::size_t i = 0; i < mask.size() * H; ++i) {
      if (!allowed(i)) CHECK(clean.output.at("p")[i] == 0);
      if (!allowed(i)) CHECK(clean.gradient.at("s")[i] == 0);
    }
  }
}
