#include "chapters/05_layer_norm/add_norm_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("add_norm: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(AddNormCase{})));
  expect(gradients(component(AddNormCase{4, 3, {}})));
  expect(gradients(component(AddNormCase{6, 5, {}, 0.25})));
}

TEST_CASE("add_norm: every device agrees with the composition and keeps the contract") {
  for (const double rate : {0.0, 0.3}) {
    for (const auto& [N, D] : {std::pair{6, 5}, {33, 4}, {2, 33}, {1, 3}, {3, 1025}}) {
      const Component judged = component(AddNormCase{std::size_t(N), std::size_t(D), {rate, 19, Side::target}});
      for (const Runner& r : judged.devices) {
        expect(parity(judged, r));
        expect(contract(judged, r));
      }
    }
  }
  const Component judged = component(AddNormCase{6, 5, {}, 0.25});
  for (const Runner& r : judged.devices) expect(parity(judged, r));
}

TEST_CASE("join_norm_backward: finite differences and dual numbers agree, and every device keeps the contract",
          "[gradients]") {
  expect(gradients(component(JoinNormCase{})));
  for (const std::size_t N : {0, 1, 33}) {
    const Component judged = component(JoinNormCase{N, 9});
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("add_norm: golden values") { expect(golden(component(AddNormCase{}), "add_norm")); }

TEST_CASE("add_norm: the gradients of the two readers of s add") {
  const Component judged = component(AddNormCase{});
  const Values at = random_values(judged.description);
  for (const Runner& r : judged.devices) {
    const auto gradient = [&](double of_s, double of_n) {
      Values v = at;
      for (double& g : v.value.at("ds")) g *= of_s;
      for (double& g : v.value.at("dn")) g *= of_n;
      return r.run(v, {}).gradient;
    };
    const Named both = gradient(1, 1), stream = gradient(1, 0), norm = gradient(0, 1);
    const double bound = r.is_double ? 1e-12 : 1e-5;
    CHECK(relative_error(stream.at("x"), at.value.at("ds")) < bound);  // the stream passes it on as it is
    for (const std::string name : {"x", "f", "gamma", "beta"}) {
      std::vector<double> sum = stream.at(name);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += norm.at(name)[i];
      CHECK(relative_error(sum, both.at(name)) < bound);
    }
  }
}

TEST_CASE("add_norm: no device takes another form of norm for layer norm") {
  CHECK(refusals_of_another_form<Reference<double>>() == 3);
  CHECK(refusals_of_another_form<Cpu<float>>() == 3);
}

TEST_CASE("add_norm: an empty batch is legal, a rate of 1 is not") {
  const Component empty = component(AddNormCase{0, 3, {}});
  const Component all_dropped = component(AddNormCase{2, 3, {1.0, 19, Side::target}});
  for (const Runner& r : empty.devices) CHECK_NOTHROW(r.run(random_values(empty.description), {}));
  for (const Runner& r : all_dropped.devices) {
    CHECK_THROWS_AS(r.run(random_values(all_dropped.description), {}), Error);
  }
}
