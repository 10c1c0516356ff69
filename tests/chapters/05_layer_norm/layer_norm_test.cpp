#include "wrong/layer_norm.hpp"
#include "05_layer_norm/norm.hpp"
#include "chapters/05_layer_norm/layer_norm_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The component on rows whose elements are all equal: each becomes its first element.
Runner on_constant_rows(const Runner& r, std::size_t D) {
  Runner constant = r;
  constant.run = [r, D](Values v, const RunOptions& o) {
    std::vector<double>& x = v.value.at("x");
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i - i % D];
    return r.run(v, o);
  };
  return constant;
}

template <class Dev>
std::vector<double> normalised(std::vector<double> x, std::size_t N, std::size_t D) {
  Dev dev;
  std::vector<double> gamma(D, 1.0), beta(D, 0.0), y(N * D);
  NormCache<Dev> cache;
  layer_norm_forward(dev, Out<Dev, 2>{y.data(), {N, D}, D}, cache, In<Dev, 2>{x.data(), {N, D}, D},
                     NormParams<Dev>{{gamma.data(), {D}, D}, {beta.data(), {D}, D}});
  return y;
}

}  // namespace

TEST_CASE("layer_norm: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(LayerNormCase{5, 7})));
  expect(gradients(component(LayerNormCase{4, 2}), norm_bounds(2)));
  expect(gradients(component(LayerNormCase{5, 7, 0.25})));
}

TEST_CASE("layer_norm: every device agrees with the reference and keeps the contract") {
  for (const auto& [N, D] : {std::pair{5, 7}, {33, 4}, {2, 33}, {1, 3}, {3, 1025}, {5, 2}, {4, 1}}) {
    const LayerNormCase c{std::size_t(N), std::size_t(D)};
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r, norm_bounds(c.D)));
      if (D > 2 || r.is_double) expect(contract(judged, r));
    }
  }
}

TEST_CASE("layer_norm: constant rows have the gradients that dual numbers give them") {
  Component c = component(LayerNormCase{4, 6});
  c.dual = on_constant_rows(c.dual, 6);
  for (const Runner& r : c.devices) {
    if (r.is_double) expect(dual_numbers(c, on_constant_rows(r, 6)));
  }
}

TEST_CASE("layer_norm: golden values at every width where a wrong divisor shows") {
  for (const std::size_t D : {2, 3, 4, 7}) {
    expect(golden(component(LayerNormCase{5, D}), "layer_norm_" + std::to_string(D), norm_bounds(D)));
  }
}

TEST_CASE("layer_norm: another epsilon") {
  const Component judged = component(LayerNormCase{5, 7, 0.25});
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    expect(contract(judged, r));
  }
  expect(golden(judged, "layer_norm_epsilon"));
}

TEST_CASE("layer_norm: golden values of extreme rows") {
  expect(golden(component(LayerNormCase{6, 4}), "layer_norm_constant"));
  expect(golden(component(LayerNormCase{5, 7}), "layer_norm_narrow"));
  expect(golden(component(LayerNormCase{5, 7}), "layer_norm_wide"));
  Bounds far;  // a mean of 1e6 is exact to 1e-10, and so is the remainder of x
  far.golden = 1e-9;
  expect(golden(component(LayerNormCase{5, 7}), "layer_norm_far", far));
}

TEST_CASE("layer_norm: the variance is divided by D, and epsilon stands inside the root") {
  // Rows (m - a, m + a) have the variance a^2; with D - 1 it would be twice that.
  for (const double a : {1.0, 1e-2, 1e-4}) {
    const double expected = a / std::sqrt(a * a + 1e-5);
    for (const auto& y :
         {normalised<Reference<double>>({3 - a, 3 + a}, 1, 2), normalised<Cpu<double>>({3 - a, 3 + a}, 1, 2)}) {
      CHECK(y[0] == Approx(-expected).epsilon(1e-10));
      CHECK(y[1] == Approx(expected).epsilon(1e-10));
    }
  }
}

TEST_CASE("layer_norm: an empty batch leaves parameter gradients as they are") {
  const Component judged = component(LayerNormCase{0, 3});
  for (const Runner& r : judged.devices) {
    RunOptions from_two;
    from_two.accumulated_from = 2;
    const Run run = r.run(random_values(judged.description), from_two);
    CHECK(run.gradient.at("gamma") == std::vector<double>(3, 2.0));
    CHECK(run.gradient.at("beta") == std::vector<double>(3, 2.0));
  }
}

TEMPLATE_TEST_CASE("layer_norm: dx may be dy", "", Reference<double>, Cpu<double>) {
  static constexpr std::size_t N = 3, D = 9;
  const Values at = random_values(component(LayerNormCase{N, D}).description);
  const auto gradient = [&](bool in_place) {
    TestType dev;
    std::vector<double> x = at.value.at("x"), dy = at.value.at("dy"), y(N * D), dx(N * D);
    std::vector<double> gamma = at.value.at("gamma"), beta = at.value.at("beta"), dgamma(D), dbeta(D);
    const auto matrix = [](std::vector<double>& v) { return Out<TestType, 2>{v.data(), {N, D}, D}; };
    const auto vector = [](std::vector<double>& v) { return Out<TestType, 1>{v.data(), {D}, D}; };
    const NormParams<TestType> p{vector(gamma), vector(beta)}, dp{vector(dgamma), vector(dbeta)};
    NormCache<TestType> cache;
    layer_norm_forward(dev, matrix(y), cache, matrix(x), p);
    layer_norm_backward(dev, matrix(in_place ? dy : dx), dp, matrix(dy), matrix(x), cache, p);
    return in_place ? dy : dx;
  };
  CHECK(gradient(true) == gradient(false));
}

TEST_CASE("layer_norm: another sentence in the batch changes nothing; in a batch norm it changes everything") {
  const std::vector<double> sentence{0.3, -1.0, 2.0, 0.5, 1.5, -0.7};  // two words of width 3
  const auto beside = [&](std::vector<double> other) {
    std::vector<double> batch = sentence;
    batch.insert(batch.end(), other.begin(), other.end());
    return batch;
  };
  const auto first = [](std::vector<double> y) { return std::vector<double>(y.begin(), y.begin() + 6); };
  const auto quiet = beside({0.1, 0.2, -0.1}), loud = beside({50.0, -80.0, 9.0});
  CHECK(first(normalised<Cpu<double>>(quiet, 3, 3)) == first(normalised<Cpu<double>>(loud, 3, 3)));
  CHECK(first(normalised<Reference<double>>(quiet, 3, 3)) == first(normalised<Reference<double>>(loud, 3, 3)));
  using Batch = wrong::BatchNorm<Cpu<double>>;
  const auto with_quiet = first(normalised<Batch>(quiet, 3, 3)), with_loud = first(normalised<Batch>(loud, 3, 3));
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(with_quiet[i] - with_loud[i]) > 0.05);
}

TEST_CASE("layer_norm: a gain and a shift for each column, named, and spared by weight decay") {
  Layout layout;
  Binder<Cpu<float>> bind(layout);
  norm_params(bind, "encoder.first_norm", 5, NormForm::layer, layer_norm_epsilon);
  layout.finish();
  CHECK(layout.find("encoder.first_norm.gamma").shape == std::vector<std::size_t>{5});
  CHECK(layout.find("encoder.first_norm.gamma").kind == Kind::gain);
  CHECK(layout.find("encoder.first_norm.beta").shape == std::vector<std::size_t>{5});
  CHECK(layout.find("encoder.first_norm.beta").kind == Kind::bias);
  CHECK(layout.decaying() == 0);
}
