// The products of gemm_cuda.cu: by columns, as cuBLAS has them, they must be ours by rows.

#include <cmath>
#include <tuple>

#include "cuda_standin/support.hpp"
#include "gradus/device/cuda.hpp"
#include "gradus/ops/cuda/gemm_each.hpp"
#include "gradus/ops/gemm.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// No two values are equal, and each has both signs among its neighbours.
double value_at(std::size_t i, double seed) { return std::sin(seed + 1.7 * static_cast<double>(i)); }

/// A matrix with `gap` elements between its rows, in the host's memory and in a GPU's.
template <class Real>
struct Both {
  std::size_t rows, columns, stride;
  std::vector<double> host;
  OnDevice<Real> device;

  static std::vector<Real> converted(const std::vector<double>& values) { return {values.begin(), values.end()}; }
  static std::vector<double> values(std::size_t n, double seed) {
    std::vector<double> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<double>(static_cast<Real>(value_at(i, seed)));
    return all;
  }
  Both(std::size_t r, std::size_t c, std::size_t gap, double seed)
      : rows(r), columns(c), stride(c + gap), host(values(r * stride, seed)), device(converted(host)) {}

  View<double, 2, Host> on_host() { return {host.data(), {rows, columns}, stride}; }
  View<Real, 2, Gpu> on_device() const { return {device.data(), {rows, columns}, stride}; }

  /// The largest difference, which counts the gaps too.
  double difference() const {
    const std::vector<Real> found = device.values();
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      largest = std::fmax(largest, std::abs(static_cast<double>(found[i]) - host[i]));
    return largest;
  }
};

struct Shape {
  std::size_t n, k, m;
  bool a_transposed, b_transposed;
};
std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      for (const auto& [n, k, m] : {std::tuple<std::size_t, std::size_t, std::size_t>{3, 5, 7},
                                    {7, 5, 3},
                                    {1, 4, 6},
                                    {6, 4, 1},
                                    {5, 1, 2},
                                    {4, 4, 4},
                                    {1, 1, 1},
                                    {2, 0, 3},
                                    {0, 3, 2},
                                    {3, 2, 0}})
        all.push_back({n, k, m, a, b});
    }
  }
  return all;
}

template <class Real>
struct Factors {
  Both<Real> a, b;
  const Shape& s;
  Factors(const Shape& shape, std::size_t gap)
      : a(shape.a_transposed ? shape.k : shape.n, shape.a_transposed ? shape.n : shape.k, gap, 1),
        b(shape.b_transposed ? shape.m : shape.k, shape.b_transposed ? shape.k : shape.m, 2 * gap, 2),
        s(shape) {}
};

template <class Real>
void check_product(const Shape& s, std::size_t gap, double scale, bool add, Products products, double bound) {
  CAPTURE(s.n, s.k, s.m, s.a_transposed, s.b_transposed, gap, scale, add, sizeof(Real));
  Factors<Real> f(s, gap);
  Both<Real> c(s.n, s.m, 3 * gap, 3);
  Reference<double> reference;
  Cuda<Real> dev;
  dev.products = products;
  using R = Reference<double>;
  using D = Cuda<Real>;
  multiply(reference, Out<R, 2>(c.on_host()), Factor<R>(f.a.on_host(), s.a_transposed),
           Factor<R>(f.b.on_host(), s.b_transposed), scale, add);
  multiply(dev, Out<D, 2>(c.on_device()), Factor<D>(f.a.on_device(), s.a_transposed),
           Factor<D>(f.b.on_device(), s.b_transposed), scale, add);
  CHECK(c.difference() <= bound);
}

}  // namespace

TEST_CASE("gemm_cuda: every shape and transposition, with gaps between rows, is the product of Reference") {
  for (const Shape& s : shapes()) {
    for (const std::size_t gap : {0, 2}) {
      for (const bool add : {false, true}) {
        check_product<double>(s, gap, 0.75, add, Products::exact, 1e-14);
        check_product<float>(s, gap, 0.75, add, Products::exact, 1e-6);
        check_product<float>(s, gap, 1, add, Products::tf32, 2e-3);
        check_product<float>(s, gap, 1, add, Products::bf16, 2e-2);
      }
    }
  }
}

TEST_CASE("gemm_cuda: rounded products keep as many bits as they say") {
  const auto product = [](Products products, float x) {
    Cuda<float> dev;
    dev.products = products;
    const OnDevice<float> a(std::vector<float>{x}), b(std::vector<float>{1}), c(1);
    gemm(dev, c.matrix(1, 1), In<Cuda<float>, 2>(a.matrix(1, 1)), In<Cuda<float>, 2>(b.matrix(1, 1)));
    return c.values()[0];
  };
  for (const auto& [products, bits] : {std::pair{Products::bf16, 8}, {Products::tf32, 11}, {Products::exact, 24}}) {
    const auto of = [digits = bits](float units) { return 1 + std::ldexp(units, 1 - digits); };  // of the last bit
    CHECK(product(products, of(3)) == of(3));
    if (products == Products::exact) continue;
    CHECK(product(products, of(0.5F)) == of(0));  // of two equally near ones the even one
    CHECK(product(products, of(1.5F)) == of(2));
    CHECK(product(products, -of(0.75F)) == -of(1));
  }
}

TEST_CASE("gemm_cuda: with a bias in one launch, for each row of ours") {
  using D = Cuda<float>;
  for (const Shape& s : shapes()) {
    CAPTURE(s.n, s.k, s.m, s.a_transposed, s.b_transposed);
    Factors<float> f(s, 4);
    Both<float> c(s.n, s.m, 8, 3), bias(1, s.m, 0, 4);
    D dev;
    Reference<double> reference;
    const bool is_empty = s.n * s.k * s.m == 0;
    CHECK(gemm_with_bias(dev, Out<D, 2>(c.on_device()), Factor<D>(f.a.on_device(), s.a_transposed),
                         Factor<D>(f.b.on_device(), s.b_transposed), In<D, 1>(bias.device.view())) == !is_empty);
    if (!is_empty) {
      using R = Reference<double>;
      gemm(reference, Out<R, 2>(c.on_host()), Factor<R>(f.a.on_host(), s.a_transposed),
           Factor<R>(f.b.on_host(), s.b_transposed));
      for (std::size_t i = 0; i < s.n * s.m; ++i) c.on_host().row(i / s.m)[i % s.m] += bias.host[i % s.m];
    }
    CHECK(c.difference() <= 1e-6);
  }
}

namespace {

/// `count` factors and results, each one below the other, with rows between them that belong to nobody.
template <class Real>
void check_each(const Shape& s, std::size_t count, Products products, double bound) {
  CAPTURE(s.n, s.k, s.m, s.a_transposed, s.b_transposed, count, sizeof(Real));
  using D = Cuda<Real>;
  using R = Reference<double>;
  Factors<Real> f(s, 1);
  const std::size_t b_rows = f.b.rows, apart = b_rows + 2, c_apart = s.n + 1;
  Both<Real> b(count * apart, f.b.columns, 1, 5), c(count * c_apart, s.m, 2, 6);
  D dev;
  R reference;
  dev.products = products;
  std::vector<Out<D, 2>> results;
  std::vector<Factor<D>> factors;
  for (std::size_t i = 0; i < count; ++i) {
    results.push_back(rows(c.on_device(), i * c_apart, s.n));
    factors.push_back({rows(b.on_device(), i * apart, b_rows), s.b_transposed});
    gemm(reference, Out<R, 2>(rows(c.on_host(), i * c_apart, s.n)), Factor<R>(f.a.on_host(), s.a_transposed),
         Factor<R>(rows(b.on_host(), i * apart, b_rows), s.b_transposed));
  }
  CHECK(gemm_each(dev, results, Factor<D>(f.a.on_device(), s.a_transposed), factors));
  CHECK(c.difference() <= bound);
}

}  // namespace

TEST_CASE("gemm_cuda: several products with one first factor in one launch") {
  for (const Shape& s : shapes()) {
    if (s.n * s.k * s.m == 0) continue;
    for (const std::size_t count : {1, 2, 3}) {
      check_each<double>(s, count, Products::exact, 1e-14);
      check_each<float>(s, count, Products::exact, 1e-6);
      check_each<float>(s, count, Products::tf32, 2e-3);
    }
  }
}

TEST_CASE("gemm_cuda: all products can be recorded, and a replay reads the factors of now") {
  using D = Cuda<float>;
  D dev;
  const OnDevice<float> a(std::vector<float>(16, 2)), b(std::vector<float>(16, 3)), c(16), d(16),
      bias(std::vector<float>(4, 1));
  const In<D, 2> left(a.matrix(4, 4)), right(b.matrix(4, 4));
  const auto step = [&] {
    gemm(dev, c.matrix(4, 4), left, right);
    gemm_with_bias<float>(dev, d.matrix(4, 4), left, right, In<D, 1>(bias.view()));
    gemm_each<float>(dev, {d.matrix(2, 4)}, rows(left, 0, 2), {right});
  };
  for (const float factor : {2.F, 2.F, 2.F, 5.F}) {
    gpu::upload(a.data(), std::vector<float>(16, factor).data(), 16 * sizeof(float));
    dev.run_step({1}, step);
    CHECK(c.values() == std::vector<float>(16, 12 * factor));
    CHECK(d.values()[7] == 12 * factor);
    CHECK(d.values()[8] == 12 * factor + 1);
  }
}

TEST_CASE("gemm_cuda: memory that is no device memory is a fault when the product runs") {
  const Anew anew;
  Cuda<float> dev;
  std::vector<float> host(4);
  const View<float, 2, Gpu> wrong{host.data(), {2, 2}, 2};
  const OnDevice<float> right(4);
  gemm(dev, right.matrix(2, 2), In<Cuda<float>, 2>(wrong), In<Cuda<float>, 2>(right.matrix(2, 2)));
  CHECK_THROWS_WITH(right.values(), contains("does not point to device memory"));
}
