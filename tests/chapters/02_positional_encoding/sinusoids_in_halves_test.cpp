#include "chapters/02_positional_encoding/identities.hpp"
#include "chapters/02_positional_encoding/sinusoids_in_halves_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The table of `sinusoids`, its columns put in the order of halves.
std::vector<double> halved(const std::vector<double>& table, std::size_t D) {
  std::vector<double> halves(table.size());
  for (std::size_t k = 0; k < table.size(); ++k) {
    const std::size_t d = k % D;
    halves[k - d + d / 2 + (d % 2) * (D / 2)] = table[k];
  }
  return halves;
}

template <class Dev>
std::vector<double> table_in_halves(std::size_t P, std::size_t D, HalvesSteps steps) {
  Dev dev;
  std::vector<double> table(P * D);
  sinusoids_in_halves(dev, Out<Dev, 2>{table.data(), {P, D}, D}, steps);
  return table;
}

}  // namespace

TEST_CASE("sinusoids_in_halves: every device agrees with the reference and keeps the contract") {
  for (const HalvesSteps steps : {HalvesSteps::half, HalvesSteps::less_one}) {
    for (const auto& [P, D] : {std::pair{300, 6}, {1, 4}, {33, 34}, {2, 1024}, {1025, 4}}) {
      const Component judged =
          component(SinusoidsInHalvesCase{steps, static_cast<std::size_t>(P), static_cast<std::size_t>(D)});
      for (const Runner& r : judged.devices) {
        expect(parity(judged, r));
        expect(contract(judged, r));
      }
    }
  }
}

TEST_CASE("sinusoids_in_halves: golden values") {
  expect(golden(component(SinusoidsInHalvesCase{HalvesSteps::half}), "sinusoids_in_halves"));
  expect(golden(component(SinusoidsInHalvesCase{HalvesSteps::less_one}), "sinusoids_in_halves_less_one"));
}

TEMPLATE_TEST_CASE("sinusoids_in_halves: with D/2 steps it is the paper's table in another order", "", Cpu<double>,
                   Reference<double>) {
  for (const std::size_t D : {2, 6, 128}) {
    CHECK(relative_error(table_in_halves<TestType>(300, D, HalvesSteps::half),
                         halved(sinusoid_table<TestType>(300, D), D)) < 1e-13);
  }
}

TEMPLATE_TEST_CASE("sinusoids_in_halves: an odd width, and a width of 2 with one step less, are errors", "",
                   Cpu<float>, Cpu<double>, Reference<double>) {
  TestType dev;
  std::vector<typename TestType::Real> memory(64);
  const auto table = [&](std::size_t P, std::size_t D) { return Out<TestType, 2>{memory.data(), {P, D}, D}; };
  CHECK_THROWS_WITH(sinusoids_in_halves(dev, table(4, 5), HalvesSteps::half), contains("width 5 is odd"));
  CHECK_THROWS_WITH(sinusoids_in_halves(dev, table(4, 2), HalvesSteps::less_one), contains("greater width"));
  CHECK_NOTHROW(sinusoids_in_halves(dev, table(4, 2), HalvesSteps::half));
  CHECK_NOTHROW(sinusoids_in_halves(dev, table(0, 4), HalvesSteps::less_one));
  CHECK_NOTHROW(sinusoids_in_halves(dev, table(4, 0), HalvesSteps::half));
}
