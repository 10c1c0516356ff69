#include <cmath>

#include "chapters/05_layer_norm/kernel_cases.hpp"
#include "chapters/05_layer_norm/layer_norm_versions.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/kernel_versions.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Rows whose mean is 1e5 and whose deviation is about 1, normalised.
template <class Dev>
std::vector<double> normalised_from_afar() {
  constexpr std::size_t N = 3, D = 70;
  Dev dev;
  std::vector<double> values(N * D);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1e5 + std::sin(static_cast<double>(7 * i));
  const auto x = dev.kept.matrix(N, D), y = dev.kept.matrix(N, D);
  const NormParams<Dev> p{dev.kept.vector(D), dev.kept.vector(D)};
  write(dev, as_vector(x), values);
  fill(dev, p.gamma, 1);
  fill(dev, p.beta, 0);
  NormCache<Dev> cache;
  layer_norm_forward(dev, y, cache, x, p);
  read(dev, values, In<Dev, 1>(as_vector(y)));
  return values;
}

}  // namespace

TEST_CASE("layer_norm: a mean far from zero does not swallow the variance on kernels") {
  const std::vector<double> expected = normalised_from_afar<Reference<double>>(),
                            found = normalised_from_afar<Cuda<double>>();
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-9);
}

TEST_CASE("add_norm: kernels take no other form of norm for layer norm") {
  CHECK(refusals_of_another_form<Cuda<float>>() == 3);
}

TEST_CASE("layer_norm: the judges accept the other versions of the kernels") {
  for (const LayerNormCase& c :
       {LayerNormCase{5, 7}, LayerNormCase{130, 4}, LayerNormCase{3, 130}, LayerNormCase{0, 3}}) {
    judge_versions<LayerNormVersionCuda<double>>(c);
    judge_versions<LayerNormVersionCuda<float>>(c);
  }
}

TEST_CASE("kernels of chapter 05: every judge accepts them", "[gradients]") {
  each_layer_norm_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}
