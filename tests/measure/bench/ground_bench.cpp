// The cost of the ground: exp, random numbers, row reductions, memory, and the matrix product for comparison.
//
//     cmake --build build/release --target bench_ground && build/release/tests/lib/bench_ground
//
// One thread. FAST.md of chapter 00 explains the results.

#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "00_foundations/linear.hpp"
#include "gradus/ops/blas/blas_call.hpp"
#include "gradus/ops/cpu/exp_cpu.hpp"
#include "gradus/ops/gemm.hpp"
#include "gradus/random/dropout_cpu.hpp"

using namespace gradus;

namespace {

using Dev = Cpu<float>;
using Floats = std::vector<float>;

Floats normal(std::size_t n) {
  std::mt19937 generator(1);
  std::normal_distribution<float> draw;
  Floats v(n);
  for (float& x : v) x = draw(generator);
  return v;
}
View<float, 2, Host> matrix(Floats& v, std::size_t columns) {
  return {v.data(), {v.size() / columns, columns}, columns};
}

void elements(benchmark::State& state, std::size_t n) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}

// exp, 4,096 numbers -------------------------------------------------------------------------------------------------

template <class F>
void map_exp(benchmark::State& state, F&& f) {
  const Floats x = normal(4096);
  Floats y(x.size());
  for (auto _ : state) {
    const float* const in = x.data();
    float* const out = y.data();
#pragma omp simd
    for (std::size_t i = 0; i < 4096; ++i) out[i] = f(in[i]);
    benchmark::ClobberMemory();
  }
  elements(state, x.size());
}
void exp_of_the_library(benchmark::State& state) {
  map_exp(state, [](float x) { return std::exp(x); });
}
void exp_of_our_own(benchmark::State& state) {
  map_exp(state, [](float x) { return fast_exp(x); });
}

// A row of 512 dropout factors ----------------------------------------------------------------------------------------

const DropoutDraw draw(Dropout{0.1, 19, Side::source}, StepState{1, 1, 0, 1, 0, 0});

void dropout_element_by_element(benchmark::State& state) {
  Floats m(512);
  std::size_t row = 0;
  for (auto _ : state) {
    for (std::size_t j = 0; j < m.size(); ++j) m[j] = static_cast<float>(draw.factor(row, j));
    ++row;
    benchmark::ClobberMemory();
  }
  elements(state, m.size());
}
void dropout_four_by_four(benchmark::State& state) {
  Floats m(512);
  std::uint32_t row = 0;
  for (auto _ : state) {
    for (std::uint32_t j = 0; j < m.size() / 4; ++j) {
      const Philox4 words = philox({j, row, draw.site, draw.step}, draw.seed);
      for (std::size_t k = 0; k < 4; ++k) m[4 * j + k] = words[k] >= draw.threshold ? 1.0F / 0.9F : 0.0F;
    }
    ++row;
    benchmark::ClobberMemory();
  }
  elements(state, m.size());
}
void dropout_sixteen_lanes(benchmark::State& state) {
  Floats m(512);
  std::size_t row = 0;
  for (auto _ : state) {
    dropout_row(m.data(), m.size(), draw, row++);
    benchmark::ClobberMemory();
  }
  elements(state, m.size());
}

// Reductions over a matrix of 256 rows, 512 columns -------------------------------------------------------------------

template <class F>
void each_row(benchmark::State& state, F&& f) {
  Floats x = normal(256 * 512);
  const auto v = matrix(x, 512);
  for (auto _ : state) {
    float total = 0;
    for (std::size_t i = 0; i < 256; ++i) total += f(v.row(i));
    benchmark::DoNotOptimize(total);
  }
  elements(state, x.size());
}
void row_sum_in_order(benchmark::State& state) {
  each_row(state, [](const float* x) {
    float sum = 0;
    for (std::size_t j = 0; j < 512; ++j) sum += x[j];
    return sum;
  });
}
void row_sum_reduction(benchmark::State& state) {
  each_row(state, [](const float* x) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t j = 0; j < 512; ++j) sum += x[j];
    return sum;
  });
}
void row_max_std(benchmark::State& state) {
  each_row(state, [](const float* x) {
    float most = x[0];
    for (std::size_t j = 1; j < 512; ++j) most = std::max(most, x[j]);
    return most;
  });
}
void row_max_reduction(benchmark::State& state) {
  each_row(state, [](const float* x) {
    float most = x[0];
#pragma omp simd reduction(max : most)
    for (std::size_t j = 1; j < 512; ++j) most = x[j] > most ? x[j] : most;
    return most;
  });
}

// Memory: 64 MiB written once -----------------------------------------------------------------------------------------

constexpr std::size_t large = std::size_t{1} << 24;

void memory_fresh(benchmark::State& state) {
  for (auto _ : state) {
    const auto y = std::make_unique<Floats>(large, 1.0F);
    benchmark::DoNotOptimize(y->data());
  }
}
void memory_of_the_workspace(benchmark::State& state) {
  Dev dev;
  for (auto _ : state) {
    Scratch scope(dev);
    const auto y = dev.scratch.vector(large);
    std::fill_n(y.data, large, 1.0F);
    benchmark::ClobberMemory();
  }
}

// The products of a linear map, (512, 128) by (128, 512): a micro-batch has about as many rows. ----------------------------

constexpr std::size_t N = 512, in = 128, out = 512;

struct Product {
  Floats x = normal(N * in), w = normal(in * out), b = normal(out), y = Floats(N * out), dw = Floats(in * out);
  Dev dev;
};
void rate(benchmark::State& state) {
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * N * in * out * static_cast<double>(state.iterations()),
                                                 benchmark::Counter::kIsRate);
}

/// c = a b by BLAS; extents are those of the memory, before transposition.
void blas(View<float, 2, Host> c, const BasicFactor<float, Host>& a, const BasicFactor<float, Host>& b) {
  const auto form = [](const auto& f) { return f.transposed ? CblasTrans : CblasNoTrans; };
  const auto size = [](std::size_t n) { return static_cast<int>(n); };
  const BlasCall scope;  // as gemm does for a product that it leaves to BLAS
  cblas_sgemm(CblasRowMajor, form(a), form(b), size(c.extent[0]), size(c.extent[1]), size(a.column_count()), 1,
              a.matrix.data, size(a.matrix.stride), b.matrix.data, size(b.matrix.stride), 0, c.data,
              size(c.stride));
}

/// y = x w
void forward_by_blas(benchmark::State& state) {
  Product p;
  for (auto _ : state) blas(matrix(p.y, out), matrix(p.x, in), matrix(p.w, out));
  rate(state);
}
void forward_by_gemm(benchmark::State& state) {
  Product p;
  for (auto _ : state) gemm(p.dev, matrix(p.y, out), matrix(p.x, in), matrix(p.w, out));
  rate(state);
}
/// dx = dy w^T
void inputs_by_blas(benchmark::State& state) {
  Product p;
  for (auto _ : state) blas(matrix(p.x, in), matrix(p.y, out), transposed(matrix(p.w, out)));
  rate(state);
}
void inputs_by_gemm(benchmark::State& state) {
  Product p;
  for (auto _ : state) gemm(p.dev, matrix(p.x, in), matrix(p.y, out), transposed(matrix(p.w, out)));
  rate(state);
}
/// dw = x^T dy
void weights_by_blas(benchmark::State& state) {
  Product p;
  for (auto _ : state) blas(matrix(p.dw, out), transposed(matrix(p.x, in)), matrix(p.y, out));
  rate(state);
}
void weights_by_gemm(benchmark::State& state) {
  Product p;
  for (auto _ : state) gemm(p.dev, matrix(p.dw, out), transposed(matrix(p.x, in)), matrix(p.y, out));
  rate(state);
}
void linear_bias_first(benchmark::State& state) {
  Product p;
  const LinearParams<Dev> params{matrix(p.w, out), {p.b.data(), {out}, out}};
  for (auto _ : state) linear_forward(p.dev, matrix(p.y, out), matrix(p.x, in), params);
  rate(state);
}
void linear_bias_last(benchmark::State& state) {
  Product p;
  const auto y = matrix(p.y, out);
  for (auto _ : state) {
    gemm(p.dev, y, matrix(p.x, in), matrix(p.w, out));
    for (std::size_t n = 0; n < N; ++n) {
      float* const row = y.row(n);
#pragma omp simd
      for (std::size_t j = 0; j < out; ++j) row[j] += p.b[j];
    }
  }
  rate(state);
}

// A few rows times the transposed table of 10,000 words: BLAS, and gemm, which takes few rows itself. ------------------

constexpr std::size_t words = 10000;

void table_rate(benchmark::State& state) {
  state.counters["GFLOP/s"] = benchmark::Counter(
      2e-9 * static_cast<double>(state.range(0)) * in * words * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}
void table_by_blas(benchmark::State& state) {
  const int rows = static_cast<int>(state.range(0));
  const Floats x = normal(state.range(0) * in), table = normal(words * in);
  Floats y(state.range(0) * words);
  const BlasCall scope;
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, words, in, 1, x.data(), in, table.data(), in, 0,
                y.data(), words);
  }
  table_rate(state);
}
void table_by_gemm(benchmark::State& state) {
  Floats x = normal(state.range(0) * in), table = normal(words * in), y(state.range(0) * words);
  Dev dev;
  for (auto _ : state) gemm(dev, matrix(y, words), matrix(x, in), transposed(matrix(table, in)));
  table_rate(state);
}

BENCHMARK(table_by_blas)->Arg(1)->Arg(2)->Arg(5)->Arg(16);
BENCHMARK(table_by_gemm)->Arg(1)->Arg(2)->Arg(5)->Arg(16);
BENCHMARK(exp_of_the_library);
BENCHMARK(exp_of_our_own);
BENCHMARK(dropout_element_by_element);
BENCHMARK(dropout_four_by_four);
BENCHMARK(dropout_sixteen_lanes);
BENCHMARK(row_sum_in_order);
BENCHMARK(row_sum_reduction);
BENCHMARK(row_max_std);
BENCHMARK(row_max_reduction);
BENCHMARK(memory_fresh);
BENCHMARK(memory_of_the_workspace);
BENCHMARK(forward_by_blas);
BENCHMARK(forward_by_gemm);
BENCHMARK(inputs_by_blas);
BENCHMARK(inputs_by_gemm);
BENCHMARK(weights_by_blas);
BENCHMARK(weights_by_gemm);
BENCHMARK(linear_bias_first);
BENCHMARK(linear_bias_last);

}  // namespace

BENCHMARK_MAIN();
