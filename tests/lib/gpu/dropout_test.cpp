#include "00_foundations/dropout.hpp"
#include "gradus/device/cuda.hpp"
#include "gradus/device/device.hpp"
#include "gradus/random/philox.hpp"
#include "lib/gpu/on_device.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t rows = 9;

/// The mask as a device draws it: dropout of ones.
template <class Real>
std::vector<double> cuda_mask(std::size_t D, const Dropout& dropout, const StepState& state) {
  Cuda<Real> dev;
  dev.set(state);
  const OnDevice<Real> x(std::vector<Real>(rows * D, Real(1))), y(rows * D);
  dropout_forward(dev, y.matrix(rows, D), View<const Real, 2, Gpu>(x.matrix(rows, D)), dropout);
  const std::vector<Real> found = y.values();
  return {found.begin(), found.end()};
}

std::vector<double> reference_mask(std::size_t D, const Dropout& dropout, const StepState& state) {
  Reference<double> dev;
  dev.set(state);
  std::vector<double> x(rows * D, 1.0), y(rows * D);
  dropout_forward(dev, View<double, 2, Host>{y.data(), {rows, D}, D},
                  View<const double, 2, Host>{x.data(), {rows, D}, D}, dropout);
  return y;
}

}  // namespace

TEST_CASE("Philox: the words of the host, in a kernel") {
  const auto kernel = +[](View<Philox4, 1, Gpu> words, std::uint64_t key) {
    words[threadIdx.x] = philox({threadIdx.x, 7, 0xFFFFFFFF, 3}, key);
  };
  const OnDevice<Philox4> words(64);
  gpu::launch(kernel, {1, 64}, words.view(), std::uint64_t{0x123456789ABCDEF});
  const std::vector<Philox4> found = words.values();
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(found[i] == philox({i, 7, 0xFFFFFFFF, 3}, 0x123456789ABCDEF));
}

TEST_CASE("dropout: the masks of Reference, bit for bit, in double and in float") {
  StepState state;
  state.seed = 0xABCDEF0123;
  state.source_row = 1000;
  state.target_row = 77;
  for (const std::size_t D : {1, 4, 7, 33, 128}) {
    for (const double rate : {0.0, 0.1, 0.5, 0.75}) {
      for (const Side side : {Side::source, Side::target}) {
        ++state.step;
        const Dropout dropout{rate, 35, side};
        const std::vector<double> expected = reference_mask(D, dropout, state);
        CHECK(cuda_mask<double>(D, dropout, state) == expected);
        std::vector<double> rounded = expected;
        for (double& m : rounded) m = static_cast<float>(m);
        CHECK(cuda_mask<float>(D, dropout, state) == rounded);
      }
    }
  }
}
