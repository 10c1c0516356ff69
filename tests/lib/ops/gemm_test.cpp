#include "gradus/ops/gemm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "gradus/ops/cpu/float_product_cpu.hpp"
#include "gradus/scalar/dual.hpp"
#include "lib/ops/owned.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

template <class Real>
double number(Real x) {
  return static_cast<double>(x);
}

/// The largest difference between c and before + scale a b, by the definition, in long double.
template <class Real>
double distance(Owned<Real>& c, double before, const BasicFactor<Real, Host>& a, const BasicFactor<Real, Host>& b,
                double scale) {
  const auto at = [](const BasicFactor<Real, Host>& f, std::size_t i, std::size_t j) {
    return static_cast<long double>(number(f.transposed ? f.matrix.row(j)[i] : f.matrix.row(i)[j]));
  };
  double worst = 0;
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.columns; ++j) {
      long double sum = 0;
      for (std::size_t k = 0; k < a.column_count(); ++k) sum += at(a, i, k) * at(b, k, j);
      const double difference = std::abs(number(c.view().row(i)[j]) - static_cast<double>(before + scale * sum));
      worst = std::isnan(difference) ? HUGE_VAL : std::max(worst, difference);
    }
  }
  return worst;
}

/// Both products, for every pair of transpositions, with gaps after the rows of all three matrices.
template <class Dev>
void judge(std::size_t n, std::size_t k, std::size_t m, double scale, double bound) {
  using Real = typename Dev::Real;
  Dev dev;
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      auto a = ta ? Owned<Real>::normal(k, n, 2, 1) : Owned<Real>::normal(n, k, 3, 1);
      auto b = tb ? Owned<Real>::normal(m, k, 1, 2) : Owned<Real>::normal(k, m, 4, 2);
      const Factor<Dev> left(a.view(), ta), right(b.view(), tb);
      Owned<Real> c(n, m, 5), sum(n, m, 5);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
          c.view().row(i)[j] =
              Real(std::numeric_limits<double>::quiet_NaN());  // Out is overwritten, whatever it held
          sum.view().row(i)[j] = Real(0.5);
        }
      }
      INFO(n << " x " << k << " x " << m << (ta ? ", a transposed" : "") << (tb ? ", b transposed" : ""));
      gemm(dev, c.view(), left, right, scale);
      gemm_add(dev, sum.view(), left, right, scale);
      CHECK(distance(c, 0, left, right, scale) <= bound);
      CHECK(distance(sum, 0.5, left, right, scale) <= bound);
      CHECK(c.gaps_untouched());
      CHECK(sum.gaps_untouched());
      CHECK(a.gaps_untouched());
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("gemm: every transposition, stride and scale, by the definition", "", Reference<double>,
                   Cpu<double>, Cpu<float>, Reference<Dual>) {
  const bool in_float = std::is_same_v<typename TestType::Real, float>;
  for (const double scale : {1.0, -0.25, 0.0}) {
    judge<TestType>(3, 4, 5, scale, in_float ? 1e-5 : 1e-14);
    judge<TestType>(1, 1, 1, scale, in_float ? 1e-5 : 1e-14);
    judge<TestType>(1, 33, 7, scale, in_float ? 1e-5 : 1e-13);
    judge<TestType>(67, 33, 2, scale, in_float ? 2e-5 : 1e-13);
  }
}

TEMPLATE_TEST_CASE("gemm: the scale is 1 if none is given", "", Reference<double>, Cpu<double>, Cpu<float>) {
  using Real = typename TestType::Real;
  TestType dev;
  Owned<Real> a(1, 1), b(1, 1), c(1, 1);
  a.view().row(0)[0] = 3, b.view().row(0)[0] = 5;
  const Factor<TestType> left(a.view()), right(b.view());
  gemm(dev, c.view(), left, right);
  CHECK(c.view().row(0)[0] == 15);
  gemm_add(dev, c.view(), left, right);
  CHECK(c.view().row(0)[0] == 30);
}

TEST_CASE("gemm: few rows times a large transposed matrix, by the definition") {
  for (const std::size_t n : {1, 2, 5, 16, 17}) {
    judge<Cpu<float>>(n, 128, 1029, 0.5, 5e-5);
    judge<Cpu<float>>(n, 37, 1024, -1, 5e-5);
  }
  judge<Cpu<float>>(3, 5, 1100, 1, 1e-5);  // shorter than a register
}

TEST_CASE("gemm: few rows are at most 16, and a large matrix has 1,024 rows") {
  CHECK(is_few_rows(16, 1024));
  CHECK(!is_few_rows(17, 1024));
  CHECK(!is_few_rows(16, 1023));
}

TEST_CASE("gemm: of few rows times a large transposed matrix, each row's bits depend on no other row") {
  constexpr std::size_t n = 16, k = 40, m = 1030;
  Cpu<float> dev;
  auto a = Owned<float>::normal(n, k, 3, 1), b = Owned<float>::normal(m, k, 1, 2);
  Owned<float> all(n, m), one(1, m);
  gemm(dev, all.view(), Factor<Cpu<float>>(a.view()), transposed(b.view()));
  for (std::size_t i = 0; i < n; ++i) {
    const View<const float, 2, Host> row{a.view().row(i), {1, k}, a.view().stride};
    gemm(dev, one.view(), Factor<Cpu<float>>(row), transposed(b.view()));
    INFO("row " << i);
    CHECK(std::equal(one.view().row(0), one.view().row(0) + m, all.view().row(i)));
  }
}

TEST_CASE("gemm: some rows times a matrix of whole registers, by the definition") {
  for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7, 13, 256, 257}) {
    judge<Cpu<float>>(n, 33, 16, 0.5, 5e-5);
    judge<Cpu<float>>(n, 128, 208, -1, 5e-5);  // panels of each width
  }
  judge<Cpu<float>>(5, 1, 192, 1, 1e-5);
}

TEST_CASE("gemm: of some rows times a matrix of whole registers, each row's bits depend on no other row") {
  constexpr std::size_t n = 17, k = 40, m = 208;
  Cpu<float> dev;
  auto a = Owned<float>::normal(n, k, 3, 1), b = Owned<float>::normal(k, m, 1, 2);
  Owned<float> all(n, m), one(1, m);
  gemm(dev, all.view(), Factor<Cpu<float>>(a.view()), Factor<Cpu<float>>(b.view()));
  for (std::size_t i = 0; i < n; ++i) {
    const View<const float, 2, Host> row{a.view().row(i), {1, k}, a.view().stride};
    gemm(dev, one.view(), Factor<Cpu<float>>(row), Factor<Cpu<float>>(b.view()));
    INFO("row " << i);
    CHECK(std::equal(one.view().row(0), one.view().row(0) + m, all.view().row(i)));
  }
}

TEST_CASE("gemm: products of whole registers in several parts and forms, by the definition") {
  judge<Cpu<float>>(63, 40, 32, 1, 5e-5);       // one row less and
  judge<Cpu<float>>(64, 40, 32, 0.5, 5e-5);     // just as many as a transposed right factor needs
  judge<Cpu<float>>(241, 513, 80, -0.5, 3e-4);  // a row and a term more than a part has
}

TEST_CASE("gemm: in several parts and forms too, each row's bits depend on no other row") {
  if (!tiles_beat_blas) return;
  constexpr std::size_t n = 250, k = 520, m = 80;
  Cpu<float> dev;
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      auto a = ta ? Owned<float>::normal(k, n, 3, 1) : Owned<float>::normal(n, k, 3, 1);
      auto b = tb ? Owned<float>::normal(m, k, 1, 2) : Owned<float>::normal(k, m, 1, 2);
      Owned<float> all(n, m), some(64, m);
      gemm(dev, all.view(), Factor<Cpu<float>>(a.view(), ta), Factor<Cpu<float>>(b.view(), tb));
      const auto last = ta ? columns(a.view(), n - 64, 64) : rows(a.view(), n - 64, 64);
      gemm(dev, some.view(), Factor<Cpu<float>>(last, ta), Factor<Cpu<float>>(b.view(), tb));
      INFO((ta ? "a" : "") << (tb ? "b" : "") << " transposed");
      CHECK(std::equal(some.view().row(0), some.view().row(0) + 64 * m, all.view().row(n - 64)));
    }
  }
}

TEST_CASE("gemm: tiles and BLAS share the products of whole registers") {
  CHECK(is_tiled(256, 64, 1024));
  CHECK(!is_tiled(256, 65, 1024));
  CHECK(is_tiled(257, 64, 1025) == tiles_beat_blas);
  CHECK(is_tiled(6, 64, 40, {true, false}) == tiles_beat_blas);
  CHECK(is_tiled(64, 64, 40, {false, true}) == tiles_beat_blas);
  CHECK(!is_tiled(63, 64, 40, {false, true}));
}

TEST_CASE("gemm: a product leaves the workspace as it was") {
  Cpu<float> dev;
  auto a = Owned<float>::normal(64, 40, 0, 1), b = Owned<float>::normal(64, 40, 0, 2);
  Owned<float> c(64, 64);
  gemm(dev, c.view(), Factor<Cpu<float>>(a.view()), transposed(b.view()));
  const auto [block, used, taken] = dev.scratch.mark();
  CHECK(block + used + taken == 0);
}

TEMPLATE_TEST_CASE("gemm: an empty sum gives zero, and a product may have no rows or columns", "",
                   Reference<double>, Cpu<double>, Cpu<float>) {
  judge<TestType>(3, 0, 4, 1, 0);
  judge<TestType>(0, 3, 4, 1, 0);
  judge<TestType>(3, 4, 0, 1, 0);
  judge<TestType>(0, 0, 0, 1, 0);
}

TEMPLATE_TEST_CASE("gemm: column views of one packed matrix as factors and as result", "", Reference<double>,
                   Cpu<double>) {
  // As in attention: q and k are side by side in one matrix, and the product is written between two others.
  TestType dev;
  auto packed = Owned<double>::normal(6, 12, 0, 3);
  Owned<double> wide(6, 20);
  const auto q = columns(packed.view(), 0, 4), k = columns(packed.view(), 4, 4);
  gemm(dev, columns(wide.view(), 7, 6), Factor<TestType>(q), transposed(k), 0.5);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 20; ++j) {
      double expected = Owned<double>::gap_value;
      if (j >= 7 && j < 13) {
        expected = 0;
        for (std::size_t d = 0; d < 4; ++d) expected += 0.5 * q.row(i)[d] * k.row(j - 7)[d];
      }
      CHECK(wide.view().row(i)[j] == Approx(expected).epsilon(1e-13));
    }
  }
}

TEST_CASE("gemm: the product of dual numbers carries the product rule") {
  Reference<Dual> dev;
  std::vector<Dual> a{{1, 10}, {2, 20}}, b{{3, 30}, {4, 40}}, c(1);
  gemm(dev, View<Dual, 2, Host>{c.data(), {1, 1}, 1}, View<Dual, 2, Host>{a.data(), {1, 2}, 2},
       View<Dual, 2, Host>{b.data(), {2, 1}, 1}, 2);
  CHECK(c[0].value == 2 * (1 * 3 + 2 * 4));
  CHECK(c[0].slope == 2 * (10 * 3 + 1 * 30 + 20 * 4 + 2 * 40));
}

TEMPLATE_TEST_CASE("gemm: factors or results that do not fit are named with their shapes", "", Reference<double>,
                   Cpu<double>, Cpu<float>) {
  using Real = typename TestType::Real;
  TestType dev;
  Owned<Real> a(3, 4), b(5, 2), c(3, 2);
  CHECK_THROWS_WITH(gemm(dev, c.view(), a.view(), b.view()), contains("(3, 4)") && contains("(5, 2)"));
  CHECK_THROWS_WITH(gemm(dev, c.view(), transposed(a.view()), b.view()), contains("(3, 4)^T"));
  Owned<Real> fits(4, 2);
  CHECK_THROWS_WITH(gemm(dev, fits.view(), a.view(), fits.view()), contains("(4, 2)") && contains("(3, 2)"));
  CHECK_THROWS_AS(gemm_add(dev, c.view(), a.view(), b.view()), Error);
}

TEST_CASE("gemm: a size that BLAS would take for another one is refused") {
  Cpu<float> dev;
  float number = 1;
  const std::size_t k = (std::size_t{1} << 32) + 1;  // 1 in 32 bits
  const In<Cpu<float>, 2> a{&number, {1, k}, k}, b{&number, {k, 1}, 1};
  CHECK_THROWS_WITH(gemm(dev, View<float, 2, Host>{&number, {1, 1}, 1}, a, b), contains("4294967297"));
}

TEST_CASE("gemm: threads that multiply at once do not disturb each other", "[slow]") {
  // Debian's OpenBLAS without threads gives two threads one buffer, in about one of a thousand such products.
  const auto disturbed = [](unsigned seed, int times) {
    Cpu<float> dev;
    auto a = Owned<float>::normal(40, 256, 0, seed), b = Owned<float>::normal(256, 129, 0, seed + 1);  // for BLAS
    Owned<float> first(40, 129), again(40, 129);
    gemm(dev, first.view(), a.view(), b.view());
    int different = 0;
    for (int i = 0; i < times; ++i) {
      gemm(dev, again.view(), a.view(), b.view());
      different += again.memory == first.memory ? 0 : 1;
    }
    return different;
  };
  std::vector<int> found(2);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 2; ++i) threads.emplace_back([&, i] { found[i] = disturbed(10 * i, 20000); });
  for (std::thread& t : threads) t.join();
  CHECK(found == std::vector<int>{0, 0});
}
