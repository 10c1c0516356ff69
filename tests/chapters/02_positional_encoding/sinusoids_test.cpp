#include "chapters/02_positional_encoding/identities.hpp"
#include "chapters/02_positional_encoding/sinusoids_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("sinusoids: every device agrees with the reference and keeps the contract") {
  for (const auto& [P, D] : {std::pair{300, 6}, {1, 2}, {33, 34}, {2, 1024}, {1025, 4}}) {
    const Component judged = component(SinusoidsCase{static_cast<std::size_t>(P), static_cast<std::size_t>(D)});
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("sinusoids: golden values") { expect(golden(component(SinusoidsCase{}), "sinusoids")); }

TEST_CASE("sinusoids: each pair lies on the unit circle and a shift is a rotation, at every even width") {
  constexpr std::size_t P = 512;
  for (std::size_t D = 2; D <= 512; D += 2) {
    const std::vector<double> table = sinusoid_table<Cpu<double>>(P, D);
    INFO("width " << D);
    CHECK(circle_error(table) < 1e-12);
    for (const std::size_t k : {1, 64, 511}) CHECK(rotation_error(table, D, k) < 1e-12);
  }
}

TEST_CASE("sinusoids: the reference, too, turns by the same angle wherever it starts") {
  for (const std::size_t D : {2, 6, 128, 512}) {
    const std::vector<double> table = sinusoid_table<Reference<double>>(512, D);
    CHECK(circle_error(table) < 1e-12);
    for (std::size_t k = 1; k < 512; k += 30) CHECK(rotation_error(table, D, k) < 1e-12);
  }
}

TEST_CASE("sinusoids: position 0 is 0, 1, 0, 1 and the first pair turns by one radian a word") {
  const std::vector<double> table = sinusoid_table<Cpu<double>>(4, 4);
  CHECK(std::vector<double>(table.begin(), table.begin() + 4) == std::vector<double>{0, 1, 0, 1});
  CHECK(table[3 * 4] == Approx(std::sin(3.0)));
  CHECK(table[3 * 4 + 3] == Approx(std::cos(0.03)));
}

TEMPLATE_TEST_CASE("sinusoids: an odd width is an error that says so, an empty table is none", "", Cpu<float>,
                   Cpu<double>, Reference<double>) {
  TestType dev;
  std::vector<typename TestType::Real> memory(64);
  const auto table = [&](std::size_t P, std::size_t D) { return Out<TestType, 2>{memory.data(), {P, D}, D}; };
  CHECK_THROWS_WITH(sinusoids(dev, table(4, 5)), contains("width 5 is odd"));
  CHECK_THROWS_AS(sinusoids(dev, table(4, 1)), Error);
  CHECK_NOTHROW(sinusoids(dev, table(0, 4)));
  CHECK_NOTHROW(sinusoids(dev, table(4, 0)));
}
