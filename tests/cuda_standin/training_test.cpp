// A whole training and whole searches by the files that nvcc compiles, beside the processor's: the first step, the recorded one and
// replays, in every order that streams and events allow.

#include <cmath>

#include "cuda_standin/support.hpp"
#include "measure/gpu_check/steps.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr standin::Order orders[] = {standin::Order::as_asked, standin::Order::latest_first,
                                     standin::Order::shuffled};

template <class Real>
double difference(const Trained<Real>& found, const Trained<double>& expected) {
  REQUIRE(found.losses.size() == expected.losses.size());
  REQUIRE(found.weights.size() == expected.weights.size());
  double largest = 0;
  for (std::size_t i = 0; i < found.losses.size(); ++i)
    largest = std::fmax(largest, std::abs(found.losses[i] / expected.losses[i] - 1));
  for (std::size_t i = 0; i < found.weights.size(); ++i)
    largest = std::fmax(largest, std::abs(static_cast<double>(found.weights[i]) - expected.weights[i]));
  return largest;
}

}  // namespace

TEST_CASE("stand-in: a training has the processor's losses and weights, and in every order the same bits") {
  const Anew anew;
  for (const std::size_t micro_batches : {1, 2}) {
    const auto expected = trained<Cpu<double>>(micro_batches);
    std::vector<Trained<double>> found;
    for (const auto order : orders) {
      standin::set_order(order, 7);
      found.push_back(trained<Cuda<double>>(micro_batches));
      CHECK(difference(found.back(), expected) < 1e-9);
      CHECK(found.back().weights == found.front().weights);
      CHECK(standin::waiting() == 0);
    }
    const auto plain = trained<Cuda<double>>(micro_batches, [](Cuda<double>& dev) { dev.records = false; });
    CHECK(plain.weights == found.front().weights);
  }
}

TEST_CASE("stand-in: a training in float, with each kind of products") {
  const auto expected = trained<Cpu<double>>(2);
  double last = 0;
  for (const auto& [products, bound] :
       {std::pair{Products::exact, 1e-3}, {Products::tf32, 2e-2}, {Products::bf16, 0.1}}) {
    const auto found = trained<Cuda<float>>(2, [p = products](Cuda<float>& dev) { dev.products = p; });
    const double now =
        std::abs(found.losses[0] / expected.losses[0] - 1);  // the weights of Adam differ by whole steps
    CHECK(now < bound);
    CHECK(now > last);
    last = now;
  }
}

TEST_CASE("stand-in: kernels that start early give the same bits") {
  const auto expected = trained<Cuda<double>>(1);
  gpu::allow_early_starts(true);
  const auto found = trained<Cuda<double>>(1);
  gpu::allow_early_starts(false);
  CHECK(found.weights == expected.weights);
}

TEST_CASE("stand-in: searches have the processor's translations, recorded and plain, in every order") {
  const Anew anew;
  const auto expected = translated<Cpu<double>>();
  const auto check = [&](const std::vector<NBest>& found) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      REQUIRE(found[i].size() == expected[i].size());
      for (std::size_t k = 0; k < found[i].size(); ++k) {
        CHECK(found[i][k].words == expected[i][k].words);
        CHECK(found[i][k].score == Approx(expected[i][k].score));
      }
    }
  };
  for (const auto order : orders) {
    standin::set_order(order, 3);
    check(translated<Cuda<double>>());
  }
  check(translated<Cuda<double>>([](Cuda<double>& dev) { dev.records = false; }));
}
