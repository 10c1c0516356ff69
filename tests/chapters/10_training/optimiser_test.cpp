#include <limits>

#include "chapters/10_training/optimiser_case.hpp"
#include "support/expect.hpp"
#include "support/names.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("optimisers: the names of files and command lines") {
  check_names<Optimiser>({"sgd", "adam"});
  check_names<Decay>({"coupled", "decoupled"});
}

TEST_CASE("adam and sgd: every device is the reference") {
  for (const Optimiser kind : {Optimiser::adam, Optimiser::sgd}) {
    for (const Decay decay : {Decay::decoupled, Decay::coupled}) {
      for (const std::size_t n : {1, 33, 1025}) {
        const Component judged = optimiser({n, kind, {0.5, 0.01, decay, n / 2}});
        for (const Runner& r : judged.devices) expect(parity(judged, r));
      }
    }
  }
}

TEST_CASE("adam and sgd: golden values of PyTorch's optimisers") {
  expect(golden(optimiser({40, Optimiser::adam, {0.5, 0.01, Decay::decoupled, 25}}), "adam_decoupled"));
  expect(golden(optimiser({40, Optimiser::adam, {0.5, 0.01, Decay::coupled, 40}}), "adam_coupled"));
  expect(golden(optimiser({40, Optimiser::adam, {0, 0, Decay::coupled, 0}}), "adam"));
  expect(golden(optimiser({40, Optimiser::adam, {0, 0, Decay::coupled, 0}, 0, 1e-2}), "adam_epsilon"));
  expect(golden(optimiser({40, Optimiser::sgd, {0, 0.01, Decay::coupled, 40}, 0.9}), "sgd"));
}

TEST_CASE("adam and sgd: a norm that is not finite changes nothing and is recorded, the first one for good") {
  Cpu<double> dev;
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    std::vector<double> w{1, 2}, m{3, 4}, v{5, 6}, g{1, 1}, norm{bad};
    std::int32_t status = 0;
    const auto vec = [](std::vector<double>& a) { return View<double, 1, Host>{a.data(), {a.size()}, a.size()}; };
    for (const std::uint32_t step : {7U, 8U}) {
      dev.set({1, step, 0.1, 1, 0, 0});
      adam(dev, vec(w), vec(m), vec(v), {&status, {1}, 1}, vec(g), vec(norm), {});
      sgd(dev, vec(w), vec(m), {&status, {1}, 1}, vec(g), vec(norm), {});
    }
    norm = {2};  // a later step that would be correct
    adam(dev, vec(w), vec(m), vec(v), {&status, {1}, 1}, vec(g), vec(norm), {});
    sgd(dev, vec(w), vec(m), {&status, {1}, 1}, vec(g), vec(norm), {});
    CHECK(w == std::vector<double>{1, 2});
    CHECK(m == std::vector<double>{3, 4});
    CHECK(v == std::vector<double>{5, 6});
    CHECK(status == 7);
  }
}

TEST_CASE("squared_norm: float sums of many elements stay exact to rounding") {
  Cpu<float> dev;
  std::vector<float> g(3000000, 0.1F), sum(1, 2.0F);
  squared_norm(dev, {sum.data(), {1}, 1}, {g.data(), {g.size()}, g.size()});
  CHECK(sum[0] == Approx(2 + 3e6 * double(0.1F) * double(0.1F)).epsilon(1e-6));
}
