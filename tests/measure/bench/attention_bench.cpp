// The speed of attention on short sentences: width 128, 4 heads, about 1,000 tokens. Prints JSON, for record.py: GFLOP/s of its
// products (2 forward, 4 backward), on one thread, best of several runs. The time includes softmax, dropout and copies; the
// operation count does not.
//
//     cmake --build build/release --target bench_attention && build/release/tests/chapters/03_attention/bench_attention

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "03_attention/attention.hpp"
#include "gradus/ops/blas/blas_core.hpp"

using namespace gradus;

namespace {

using Dev = Cpu<float>;
constexpr std::size_t D = 128, heads = 4;

std::vector<float> normal(std::size_t n) {
  std::mt19937 generator(static_cast<unsigned>(n));
  std::normal_distribution<float> draw;
  std::vector<float> v(n);
  for (float& x : v) x = draw(generator);
  return v;
}

template <class F>
double best_seconds(F&& f) {
  double best = 1e9;
  for (int run = 0; run < 40; ++run) {
    const auto start = std::chrono::steady_clock::now();
    f();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// About 1,000 tokens in sentences of `shortest` to `longest` tokens.
SegmentTable batch(int shortest, int longest) {
  std::mt19937 generator(7);
  std::uniform_int_distribution<std::int32_t> length(shortest, longest);
  std::vector<std::int32_t> lengths;
  for (int rows = 0; rows < 1000; rows += lengths.back()) lengths.push_back(length(generator));
  return SegmentTable::packed(lengths);
}

void measure(const char* name, const SegmentTable& table, double rate) {
  const std::size_t N = table.rows;
  const auto qkv = normal(N * 3 * D), dy = normal(N * D);
  std::vector<float> y(N * D), dqkv(N * 3 * D);
  const In<Dev, 2> packed{qkv.data(), {N, 3 * D}, 3 * D}, dout{dy.data(), {N, D}, D};
  const Out<Dev, 2> out{y.data(), {N, D}, D}, dpacked{dqkv.data(), {N, 3 * D}, 3 * D};
  const auto q = columns(packed, 0, D), k = columns(packed, D, D), v = columns(packed, 2 * D, D);
  const auto dq = columns(dpacked, 0, D), dk = columns(dpacked, D, D), dv = columns(dpacked, 2 * D, D);
  const AttentionOptions options{heads, false, {rate, 18, Side::target}};
  const Segments<Dev> sentences = table.view();
  double pairs = 0;
  for (const std::int32_t n : table.length) pairs += static_cast<double>(n) * n;

  Dev dev;
  AttentionCache<Dev> cache;
  const double forward = best_seconds([&] {
    dev.reset();
    attention_forward(dev, out, cache, {q, k, v, sentences, sentences}, options);
  });
  const double backward = best_seconds([&] {
    attention_backward(dev, {dq, dk, dv}, dout, {q, k, v, sentences, sentences}, cache, options);
  });
  std::printf(",\n \"forward_%s\": %.1f, \"backward_%s\": %.1f", name, 4 * pairs * D / forward / 1e9, name,
              8 * pairs * D / backward / 1e9);
}

}  // namespace

int main() {
  std::printf("{\"core\": \"%s\", \"dropout\": 0.1", blas_core().c_str());
  measure("short", batch(5, 10), 0);
  measure("usual", batch(10, 20), 0);
  measure("long", batch(20, 40), 0);
  measure("usual_with_dropout", batch(10, 20), 0.1);
  std::printf("}\n");
}
