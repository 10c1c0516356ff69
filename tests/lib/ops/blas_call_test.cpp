/// \file
/// The number of OpenBLAS's threads before, during and after our products. This program defines OpenBLAS's
/// functions for threads and products itself, so that they replace the library's and record their calls.

#include "gradus/ops/blas/blas_call.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "gradus/ops/gemm.hpp"
#include "support/catch.hpp"

namespace {

enum { none = 0, own_threads = 1, openmp = 2 };  // the possible results of openblas_get_parallel()

int parallel() {
  const char* const given = std::getenv("GRADUS_TEST_PARALLEL");
  const std::string kind = given == nullptr ? "own" : given;
  return kind == "none" ? none : kind == "openmp" ? openmp : own_threads;
}

std::atomic<int> number_of_all{4};    // OpenBLAS's own threads: one number
thread_local int number_of_mine = 4;  // OpenMP's: one number for each calling thread
std::atomic<int> products{0}, most_threads{0}, at_once{0}, most_at_once{0};

int number() { return parallel() == openmp ? number_of_mine : parallel() == none ? 1 : number_of_all.load(); }

void raise_to(std::atomic<int>& largest, int value) {
  for (int seen = largest; seen < value && !largest.compare_exchange_weak(seen, value);) {
  }
}

}  // namespace

extern "C" {
int openblas_get_parallel(void) { return parallel(); }
int openblas_get_num_threads(void) { return number(); }
void openblas_set_num_threads(int n) {
  number_of_all = n;
  number_of_mine = n;
}
void cblas_sgemm(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int) {
  ++products;
  raise_to(most_at_once, ++at_once);
  raise_to(most_threads, number());
  std::this_thread::yield();  // so that scopes of several threads overlap
  raise_to(most_threads, number());
  --at_once;
}
}

namespace {

/// Computes that many products, of 1 x 1 matrices.
void multiply(int times) {
  using namespace gradus;
  Cpu<float> dev;
  float a = 1, b = 1, c = 0;
  const auto of = [](float& x) { return View<float, 2, Host>{&x, {1, 1}, 1}; };
  for (int i = 0; i < times; ++i) gemm(dev, of(c), In<Cpu<float>, 2>(of(a)), In<Cpu<float>, 2>(of(b)), 1.0);
}

}  // namespace

TEST_CASE("blas: a product runs on one thread, and the program around it has its threads back afterwards") {
  if (parallel() == none) return;  // there are no threads to restore
  for (const int before : {4, 7, 1}) {
    openblas_set_num_threads(before);
    products = most_threads = 0;
    multiply(3);
    CHECK(products == 3);
    CHECK(most_threads == 1);
    CHECK(openblas_get_num_threads() == before);
  }
}

TEST_CASE("blas: so it is where several threads multiply at once, which a BLAS without threads does not bear") {
  openblas_set_num_threads(6);
  products = most_threads = most_at_once = 0;
  std::vector<int> after(4);
  std::vector<std::thread> threads;
  for (int& number_then : after) {
    threads.emplace_back([&number_then] {
      number_of_mine = 6;
      multiply(2000);
      number_then = number_of_mine;
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(products == 8000);
  CHECK(most_threads == 1);
  if (parallel() == none) {
    CHECK(most_at_once == 1);
  } else {
    CHECK(most_at_once > 1);
    CHECK(openblas_get_num_threads() == 6);
  }
  if (parallel() == openmp) CHECK(std::count(after.begin(), after.end(), 6) == 4);
}
