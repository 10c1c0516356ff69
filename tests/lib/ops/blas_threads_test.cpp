#include <time.h>

#include <algorithm>
#include <vector>

#include "gradus/ops/gemm.hpp"
#include "gradus/util/workers.hpp"
#include "support/catch.hpp"

using namespace gradus;

namespace {

using Dev = Cpu<double>;

double seconds(clockid_t clock) {
  timespec t;
  ::clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// A square product, (n, n).
struct Product {
  explicit Product(std::size_t size) : n(size), a(n * n), b(n * n), c(n * n) {
    for (std::size_t i = 0; i < n * n; ++i) {
      a[i] = 1.0 / static_cast<double>(1 + i % 97);
      b[i] = 1.0 / static_cast<double>(1 + i % 89);
    }
  }
  void run() {
    Dev dev;
    gemm(dev, Out<Dev, 2>{c.data(), {n, n}, n}, In<Dev, 2>{a.data(), {n, n}, n}, In<Dev, 2>{b.data(), {n, n}, n});
  }
  std::size_t n;
  std::vector<double> a, b, c;
};

/// The share of a product's processor time that threads other than this one used.
double share_of_others() {
  Product product(500);
  product.run();
  const double process = seconds(CLOCK_PROCESS_CPUTIME_ID), own = seconds(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < 3; ++i) product.run();
  const double all = seconds(CLOCK_PROCESS_CPUTIME_ID) - process;
  return 1 - (seconds(CLOCK_THREAD_CPUTIME_ID) - own) / all;
}

}  // namespace

TEST_CASE("gemm: a product runs on the thread that asks for it, and on no other") {
  double least = 1;  // other threads of this process may not have stopped yet
  for (int i = 0; i < 5 && least > 0.05; ++i) least = std::min(least, share_of_others());
  CHECK(least <= 0.05);
}

TEST_CASE("gemm: products on several threads at once have the bits of one alone") {
  Product expected(200);
  expected.run();
  Workers workers(3);
  std::vector<Product> products(6, Product(200));
  workers.each(products.size(), [&](std::size_t i) { products[i].run(); });
  for (const Product& p : products) CHECK(p.c == expected.c);
}
