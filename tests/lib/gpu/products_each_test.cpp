#include <cmath>
#include <cstdlib>

#include "gradus/ops/cuda/gemm_each.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/catch.hpp"
#include "support/launches.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::launches_of;

namespace {

constexpr std::size_t N = 9, K = 8, M = 8, L = 3;  // the b are square: transposed they have the same shape

template <class Real>
std::vector<Real> some_values(std::size_t n, double first) {
  std::vector<Real> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<Real>(std::sin(first + static_cast<double>(i)));
  return values;
}

/// L products of one a (N, K). The b lie one below the other, with gaps between their rows and between each other; so do the c.
template <class Real>
struct Each {
  using Dev = Cuda<Real>;
  static constexpr std::size_t gap = 2;
  Dev dev;
  Workspace<Real, Gpu> memory;  // a step gives back what dev.kept has
  Out<Dev, 2> all_b = memory.matrix(L * (K + gap), M + gap), all_c = memory.matrix(L * (N + gap), M + gap);
  Out<Dev, 2> left = memory.matrix(N, K);
  Factor<Dev> a = left;
  std::vector<Factor<Dev>> b;
  std::vector<Out<Dev, 2>> c;

  explicit Each(Products products = Products::exact) {
    dev.products = products;
    write(dev, as_vector(left), some_values<Real>(N * K, 1));
    write(dev, as_vector(all_b), some_values<Real>(L * (K + gap) * (M + gap), 2));
    fill(dev, all_c, 77);
    for (std::size_t i = 0; i < L; ++i) {
      b.push_back(b_at(i * (K + gap)));
      c.push_back(c_at(i * (N + gap)));
    }
  }
  Out<Dev, 2> b_at(std::size_t row) const { return columns(rows(all_b, row, K), 0, M); }
  Out<Dev, 2> c_at(std::size_t row) const { return columns(rows(all_c, row, N), 0, M); }

  bool compute() { return gemm_each<Real>(dev, c, a, b); }
  void one_by_one() {
    for (std::size_t i = 0; i < b.size(); ++i) gemm(dev, c[i], a, b[i]);
  }
  /// The c, and what lies between them.
  std::vector<Real> result() {
    std::vector<Real> values;
    read(dev, values, In<Dev, 1>(as_vector(all_c)));
    return values;
  }
};

template <class Real>
void check_equals_single_products(Products products, bool a_is_transposed, bool b_are_transposed) {
  Each<Real> each(products), single(products);
  for (Each<Real>* x : {&each, &single}) {
    if (a_is_transposed) x->a = transposed(as_matrix(as_vector(x->left), K, N));
    for (Factor<Cuda<Real>>& b : x->b) b.transposed = b_are_transposed;
  }
  CHECK(each.compute());
  single.one_by_one();
  CHECK(each.result() == single.result());
}

/// Nothing is computed after this change.
template <class Change>
void check_is_left(const std::string& what, Change&& change) {
  INFO(what);
  Each<float> each;
  change(each);
  CHECK(!each.compute());
  CHECK(each.result() == std::vector<float>(each.all_c.extent[0] * each.all_c.extent[1], 77));
}

using E = Each<float>;

}  // namespace

TEST_CASE("products: each of several is equal to a single one, and nothing between them is written") {
  for (const bool of_a : {false, true}) {
    for (const bool of_b : {false, true}) {
      check_equals_single_products<double>(Products::exact, of_a, of_b);
      for (const Products products : {Products::exact, Products::tf32, Products::bf16})
        check_equals_single_products<float>(products, of_a, of_b);
    }
  }
}

TEST_CASE("products: several are one launch, which reads their common factor once") {
  Each<double> each;
  const auto together = launches_of([&] { each.compute(); }), single = launches_of([&] { each.one_by_one(); });
  CHECK(together.all() == 1);
  CHECK(single.all() == L);
  CHECK(together.read == (N * K + L * K * M) * sizeof(double));
  CHECK(together.written == L * N * M * sizeof(double));
}

TEST_CASE("products: a list of one is one product, wherever it lies") {
  E each;
  each.b = {each.b[2]}, each.c = {each.c[1]};
  CHECK(launches_of([&] { CHECK(each.compute()); }).all() == 1);
  E single;
  gemm(single.dev, single.c[1], single.a, single.b[2]);
  CHECK(each.result() == single.result());
}

TEST_CASE("products: several that are no launch of cuBLAS are left to the caller") {
  check_is_left("an empty list", [](E& x) { x.b.clear(), x.c.clear(); });
  check_is_left("no rows", [](E& x) {
    x.a = rows(x.left, 0, 0);
    for (auto& c : x.c) c = rows(c, 0, 0);
  });
  check_is_left("no columns", [](E& x) {
    for (auto& c : x.c) c = columns(c, 0, 0);
    for (auto& b : x.b) b.matrix = columns(b.matrix, 0, 0);
  });
  check_is_left("empty sums", [](E& x) {
    x.a = columns(x.left, 0, 0);
    for (auto& b : x.b) b.matrix = rows(b.matrix, 0, 0);
  });
  check_is_left("a b of another shape", [](E& x) {
    x.b[1].matrix = columns(x.b[1].matrix, 0, M - 1);
    x.c[1] = columns(x.c[1], 0, M - 1);
  });
  check_is_left("a b of another stride", [](E& x) { x.b[2].matrix.stride = M; });
  check_is_left("a b that is transposed", [](E& x) { x.b[1].transposed = true; });
  check_is_left("a c of another stride", [](E& x) { x.c[1].stride = M; });
  check_is_left("a b further away", [](E& x) { x.b[2] = x.b_at(2 * (K + E::gap) + 1); });
  check_is_left("a c further away", [](E& x) { x.c[2] = x.c_at(2 * (N + E::gap) + 1); });
  check_is_left("the b backwards", [](E& x) { std::swap(x.b[0], x.b[2]); });
  check_is_left("the c backwards", [](E& x) { std::swap(x.c[0], x.c[2]); });
  check_is_left("the same b again", [](E& x) { x.b.assign(L, x.b[0]); });
}

TEST_CASE("products: several: numbers, shapes, memory and the environment are checked") {
  E each;
  const auto c = each.c;
  each.c.pop_back();
  CHECK_THROWS_WITH(each.compute(), contains("gemm_each: 2 results and 3 factors"));
  each.c = {c[0], c[1], rows(c[2], 0, N - 1)};
  CHECK_THROWS_WITH(each.compute(), contains("gemm: c"));
  each.c = c;
  each.b[2].matrix = rows(each.b[2].matrix, 0, K - 1);
  CHECK_THROWS_WITH(each.compute(), contains("gemm: factors"));

  std::vector<float> on_host(L * N * M);
  const auto at = [&](std::size_t i) { return View<float, 2, Gpu>{on_host.data() + i * N * M, {N, M}, M}; };
  E of_a, of_b, of_c;
  of_a.a = In<E::Dev, 2>(columns(at(0), 0, K));
  for (std::size_t i = 0; i < L; ++i) of_b.b[i] = In<E::Dev, 2>(rows(at(i), 0, K)), of_c.c[i] = at(i);
  for (E* x : {&of_a, &of_b, &of_c}) CHECK_THROWS_WITH(x->compute(), contains("a view does not point"));

  E refused;
  setenv("NVIDIA_TF32_OVERRIDE", "1", 1);
  CHECK_THROWS_WITH(refused.compute(), contains("NVIDIA_TF32_OVERRIDE=1"));
  CHECK_NOTHROW(Each<double>().compute());
  unsetenv("NVIDIA_TF32_OVERRIDE");
}

TEST_CASE("products: several: each replay reads the factors of now, and other arguments are an error") {
  E each;
  const auto step = [&] { each.compute(); };
  for (int i = 0; i < 3; ++i) each.dev.run_step({}, step);
  E single;
  for (E* x : {&each, &single}) {
    fill(x->dev, x->left, 3);
    fill(x->dev, x->b_at(2 * (K + E::gap)), 2);
  }
  each.dev.run_step({}, step);
  single.one_by_one();
  CHECK(each.result() == single.result());

  const auto c = each.c;
  const auto b = each.b;
  const Factor<E::Dev> a = each.a;
  const auto check_is_noticed = [&](const std::string& what) {
    INFO(what);
    CHECK_THROWS_WITH(each.dev.run_step({}, step), contains("launch 1 of a recorded step has other arguments"));
    each.a = a, each.b = b, each.c = c;
    each.dev.products = Products::exact;
  };
  each.b.pop_back(), each.c.pop_back();
  check_is_noticed("a product less");
  each.a = In<E::Dev, 2>(each.c_at(0));
  check_is_noticed("another a");
  for (Factor<E::Dev>& x : each.b) x.transposed = true;
  check_is_noticed("transposed b");
  each.dev.products = Products::tf32;
  check_is_noticed("other products");
  for (std::size_t i = 0; i < L; ++i) each.b[i] = each.b_at(i * (K + E::gap) + 1);
  check_is_noticed("other b");
  for (std::size_t i = 0; i < L; ++i) each.b[i] = each.b_at(i * (K + 1));
  check_is_noticed("b at another distance");
  for (std::size_t i = 0; i < L; ++i) each.c[i] = each.c_at(i * (N + E::gap) + 1);
  check_is_noticed("other c");
  for (std::size_t i = 0; i < L; ++i) each.c[i] = each.c_at(i * (N + 1));
  check_is_noticed("c at another distance");
  CHECK_NOTHROW(each.dev.run_step({}, step));
}
