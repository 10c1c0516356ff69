#include <cmath>
#include <cstdlib>
#include <random>

#include "00_foundations/linear.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ops/gemm.hpp"
#include "support/catch.hpp"
#include "support/launches.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::launches_of;

namespace {

constexpr std::size_t N = 9, K = 40, M = 7;

std::vector<float> normal_values(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& x : values) x = normal(generator);
  return values;
}

/// a (N, K) times b (K, M) on a device.
template <class Dev>
std::vector<float> product(Dev& dev, const std::vector<float>& a, const std::vector<float>& b) {
  const auto in_a = dev.kept.vector(N * K), in_b = dev.kept.vector(K * M), out = dev.kept.vector(N * M);
  write(dev, in_a, a);
  write(dev, in_b, b);
  gemm(dev, as_matrix(out, N, M), as_matrix(in_a, N, K), as_matrix(in_b, K, M));
  std::vector<float> c;
  read(dev, c, In<Dev, 1>(out));
  return c;
}

std::vector<float> on_kernels(Products products, const std::vector<float>& a, const std::vector<float>& b) {
  Cuda<float> dev;
  dev.products = products;
  return product(dev, a, b);
}

/// The largest difference, in units of the largest value.
double difference(const std::vector<float>& x, const std::vector<float>& y) {
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::fmax(largest, std::abs(double(x[i]) - double(y[i])));
    size = std::fmax(size, std::abs(double(y[i])));
  }
  return largest / size;
}

}  // namespace

TEST_CASE("products: exact ones are the processor's; coarser ones are as coarse as they say") {
  const auto a = normal_values(N * K, 1), b = normal_values(K * M, 2);
  Cpu<float> cpu;
  const auto expected = product(cpu, a, b);
  CHECK(on_kernels(Products::exact, a, b) == expected);
  const double tf32 = difference(on_kernels(Products::tf32, a, b), expected);
  const double bf16 = difference(on_kernels(Products::bf16, a, b), expected);
  CHECK(tf32 > 1e-5);
  CHECK(tf32 < 1e-3);
  CHECK(bf16 > 5 * tf32);
  CHECK(bf16 < 1e-2);
}

TEST_CASE("products: factors that need no rounding give exact products") {
  std::vector<float> a(N * K), b(K * M);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 255) - 127;  // 8 bits and a sign
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::ldexp(static_cast<float>(i % 7), static_cast<int>(i % 5));
  Cpu<float> cpu;
  const auto expected = product(cpu, a, b);
  CHECK(on_kernels(Products::bf16, a, b) == expected);
  CHECK(on_kernels(Products::tf32, a, b) == expected);
}

TEST_CASE("products: a factor becomes the nearest of so many bits, of two the even one") {
  const auto read_as = [](Products products, const std::vector<float>& x) {  // each x times 1, in the first column
    std::vector<float> a(N * K), b(K * M), read;
    for (std::size_t i = 0; i < x.size(); ++i) a[i * K] = x[i];
    b[0] = 1;
    const auto c = on_kernels(products, a, b);
    for (std::size_t i = 0; i < x.size(); ++i) read.push_back(c[i * M]);
    return read;
  };
  const auto of = [](float units, int bits) {
    return 1 + std::ldexp(units, 1 - bits);
  };  // 1 and units of the last bit
  for (const auto& [products, bits] : {std::pair{Products::bf16, 8}, {Products::tf32, 11}}) {
    CHECK(read_as(products, {of(0.5F, bits), of(1.5F, bits), of(0.25F, bits), of(0.75F, bits), of(3, bits)}) ==
          std::vector<float>{of(0, bits), of(2, bits), of(0, bits), of(1, bits), of(3, bits)});
    CHECK(read_as(products, {-of(1.5F, bits)}) == std::vector<float>{-of(2, bits)});
  }
}

TEST_CASE("products: NaN stays NaN") {
  auto a = normal_values(N * K, 3), b = normal_values(K * M, 4);
  a[0] = std::nanf("");
  const auto c = on_kernels(Products::bf16, a, b);
  for (std::size_t j = 0; j < M; ++j) CHECK(std::isnan(c[j]));
  CHECK(std::isfinite(c[M]));
}

TEST_CASE("products: result and factors must lie in device memory") {
  Cuda<float> dev;
  std::vector<float> on_host(4);
  const auto good = as_matrix(dev.kept.vector(4), 2, 2);
  const View<float, 2, Gpu> bad{on_host.data(), {2, 2}, 2};
  CHECK_THROWS_WITH(gemm(dev, bad, In<Cuda<float>, 2>(good), In<Cuda<float>, 2>(good)),
                    contains("a view does not point"));
  CHECK_THROWS_WITH(gemm(dev, good, In<Cuda<float>, 2>(bad), In<Cuda<float>, 2>(good)),
                    contains("a view does not point"));
  CHECK_THROWS_WITH(gemm(dev, good, In<Cuda<float>, 2>(good), In<Cuda<float>, 2>(bad)),
                    contains("a view does not point"));
}

namespace {

/// Which tensor of a product begins one element behind a multiple of 16 bytes.
enum class Shifted { none, a, b, bias, c };

/// c = a (N, K) b (K, M) + bias, or nothing.
template <class Real>
struct BiasedProduct {
  using Dev = Cuda<Real>;
  Dev dev;
  Workspace<Real, Gpu> memory;  // a step gives back what dev.kept has
  View<Real, 2, Gpu> a, b, c;
  View<Real, 1, Gpu> bias;

  BiasedProduct(const std::vector<Real>& in_a, const std::vector<Real>& in_b, const std::vector<Real>& in_bias,
                Shifted shifted = Shifted::none) {
    const auto vector = [&](std::size_t n, Shifted this_one) {
      return slice(memory.vector(n + 4), shifted == this_one ? 1 : 0, n);
    };
    a = as_matrix(vector(N * K, Shifted::a), N, K), b = as_matrix(vector(K * M, Shifted::b), K, M);
    c = as_matrix(vector(N * M, Shifted::c), N, M), bias = vector(M, Shifted::bias);
    write(dev, as_vector(a), in_a), write(dev, as_vector(b), in_b), write(dev, bias, in_bias);
    fill(dev, c, 77);
  }
  bool compute() { return compute(c, a, b); }
  bool compute(Out<Dev, 2> to, In<Dev, 2> left, In<Dev, 2> right) {
    return gemm_with_bias<Real>(dev, to, left, right, slice(bias, 0, to.extent[1]));
  }
  std::vector<Real> result() {
    std::vector<Real> values;
    read(dev, values, In<Dev, 2>(c));
    return values;
  }
};

const auto some_a = normal_values(N * K, 7), some_b = normal_values(K * M, 8), some_bias = normal_values(M, 9);

}  // namespace

TEST_CASE("products: with a bias in one launch, for float that begins at multiples of 16 bytes") {
  for (const Products products : {Products::exact, Products::tf32}) {
    auto expected = on_kernels(products, some_a, some_b);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += some_bias[i % M];
    BiasedProduct<float> one(some_a, some_b, some_bias);
    one.dev.products = products;
    CHECK(one.compute());
    CHECK(one.result() == expected);
  }
  for (const Shifted shifted : {Shifted::a, Shifted::b, Shifted::bias, Shifted::c}) {
    BiasedProduct<float> one(some_a, some_b, some_bias, shifted);
    INFO(static_cast<int>(shifted));
    CHECK(!one.compute());
    CHECK(one.result() == std::vector<float>(N * M, 77));
  }
  BiasedProduct<double> in_double(std::vector<double>(N * K, 1), std::vector<double>(K * M, 1),
                                  std::vector<double>(M, 1));
  CHECK(!in_double.compute());
  CHECK(in_double.result() == std::vector<double>(N * M, 77));
}

TEST_CASE("products: with a bias: shapes and the environment are checked, an empty product is left to the caller") {
  BiasedProduct<float> one(some_a, some_b, some_bias);
  CHECK_THROWS_WITH(gemm_with_bias<float>(one.dev, one.c, In<Cuda<float>, 2>(one.a), In<Cuda<float>, 2>(one.b),
                                          slice(one.bias, 0, M - 1)),
                    contains("gemm: bias"));
  CHECK(!one.compute(rows(one.c, 0, 0), rows(one.a, 0, 0), one.b));
  CHECK(!one.compute(columns(one.c, 0, 0), one.a, columns(one.b, 0, 0)));
  CHECK(!one.compute(one.c, columns(one.a, 0, 0), rows(one.b, 0, 0)));
  CHECK(one.result() == std::vector<float>(N * M, 77));
  setenv("NVIDIA_TF32_OVERRIDE", "1", 1);
  CHECK_THROWS_WITH(one.compute(), contains("NVIDIA_TF32_OVERRIDE=1"));
  unsetenv("NVIDIA_TF32_OVERRIDE");
}

TEST_CASE("products: with a bias: each replay reads the bias of now") {
  BiasedProduct<float> one(some_a, some_b, some_bias);
  for (int step = 0; step < 3; ++step) one.dev.run_step({}, [&] { one.compute(); });
  write(one.dev, one.bias, std::vector<float>(M, 0));
  one.dev.run_step({}, [&] { one.compute(); });
  CHECK(one.result() == on_kernels(Products::exact, some_a, some_b));
}

TEST_CASE("linear: one launch with a bias in float, two in double, where the bias is copied") {
  const auto launches = [](auto& dev) {
    using Dev = std::decay_t<decltype(dev)>;
    const LinearParams<Dev> p{dev.kept.matrix(K, M), dev.kept.vector(M)};
    const Out<Dev, 2> x = dev.kept.matrix(N, K), y = dev.kept.matrix(N, M);
    return launches_of([&] { linear_forward(dev, y, In<Dev, 2>(x), p); }).all();
  };
  Cuda<float> in_float;
  Cuda<double> in_double;
  CHECK(launches(in_float) == 1);
  CHECK(launches(in_double) == 2);
}

TEST_CASE("products: one that the environment would change is refused, one of double never") {
  const auto a = normal_values(N * K, 5), b = normal_values(K * M, 6);
  setenv("NVIDIA_TF32_OVERRIDE", "1", 1);
  CHECK_THROWS_WITH(on_kernels(Products::exact, a, b), contains("NVIDIA_TF32_OVERRIDE=1"));
  CHECK_NOTHROW(on_kernels(Products::tf32, a, b));
  Cuda<double> dev;
  const auto x = as_matrix(dev.kept.vector(4), 2, 2);
  fill(dev, x, 1.0);
  CHECK_NOTHROW(gemm(dev, as_matrix(dev.kept.vector(4), 2, 2), In<Cuda<double>, 2>(x), In<Cuda<double>, 2>(x)));
  setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
  CHECK_THROWS_WITH(on_kernels(Products::tf32, a, b), contains("NVIDIA_TF32_OVERRIDE=0"));
  CHECK_NOTHROW(on_kernels(Products::exact, a, b));
  unsetenv("NVIDIA_TF32_OVERRIDE");
}
