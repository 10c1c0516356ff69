// Properties of attention for any numbers: two ways to the same result are compared.

#include "03_attention/attention.hpp"
#include "chapters/03_attention/matrix.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
using Dev = Cpu<double>;

/// Attention of one sentence on each side, without saving the weights.
Matrix attend(const Matrix& q_, const Matrix& k_, const Matrix& v_, const AttentionOptions& options,
              const SegmentTable& queries, const SegmentTable& keys) {
  Dev dev;
  AttentionCache<Dev> cache;
  Matrix q = q_, k = k_, v = v_, y(q.rows, q.columns);
  attention_forward(dev, y, cache, {q, k, v, queries.view(), keys.view()}, options);
  return y;
}

std::vector<std::int32_t> one(std::size_t length) { return {static_cast<std::int32_t>(length)}; }
}  // namespace

TEST_CASE("a query segment of K beams over a memory equals K sentences with that memory") {
  constexpr std::size_t K = 5, S = 7, D = 6;
  const Matrix q = Matrix::normal(K, D, 1), k = Matrix::normal(S, D, 2), v = Matrix::normal(S, D, 3);
  const AttentionOptions options{2, false, {}};
  Matrix together = attend(q, k, v, options, SegmentTable::packed({K}), SegmentTable::packed({S}));
  for (std::size_t b = 0; b < K; ++b) {
    Matrix all = q;
    const Matrix alone = Matrix::copy_of(rows(all.view(), b, 1));
    Matrix y = attend(alone, k, v, options, SegmentTable::packed({1}), SegmentTable::packed({S}));
    CHECK(distance(rows(together.view(), b, 1), y) < 1e-15);
  }
}

TEST_CASE("causal attention over a cache: a single query gives its row of the full result") {
  constexpr std::size_t T = 6, D = 4;
  const Matrix q = Matrix::normal(T, D, 1), k = Matrix::normal(T, D, 2), v = Matrix::normal(T, D, 3);
  const AttentionOptions options{2, true, {}};
  Matrix whole = attend(q, k, v, options, SegmentTable::packed({T}), SegmentTable::packed({T}));
  for (std::size_t n = 1; n <= T; ++n) {    // this many keys are known
    for (std::size_t t = 1; t <= n; ++t) {  // the last t of them are new
      Matrix queries = q, keys = k, values = v;
      const Matrix some_q = Matrix::copy_of(rows(queries.view(), n - t, t)),
                   some_k = Matrix::copy_of(rows(keys.view(), 0, n)),
                   some_v = Matrix::copy_of(rows(values.view(), 0, n));
      Matrix y =
          attend(some_q, some_k, some_v, options, SegmentTable::packed(one(t)), SegmentTable::packed(one(n)));
      CHECK(distance(rows(whole.view(), n - t, t), y) < 1e-15);
    }
  }
}

TEST_CASE("segments may lie anywhere and in any order, as in caches of beams") {
  constexpr std::size_t D = 4;
  const Matrix q = Matrix::normal(2, D, 1), k = Matrix::normal(12, D, 2), v = Matrix::normal(12, D, 3);
  SegmentTable queries = SegmentTable::packed({1, 1}), keys;
  keys.begin = {7, 1};
  keys.length = {4, 3};
  keys.rows = 12, keys.longest = 5;
  const AttentionOptions options{2, true, {}};
  Matrix y = attend(q, k, v, options, queries, keys);
  for (std::size_t i = 0; i < 2; ++i) {
    Matrix all_q = q, all_k = k, all_v = v;
    const auto first = static_cast<std::size_t>(keys.begin[i]), n = static_cast<std::size_t>(keys.length[i]);
    const Matrix some_k = Matrix::copy_of(rows(all_k.view(), first, n)),
                 some_v = Matrix::copy_of(rows(all_v.view(), first, n)),
                 some_q = Matrix::copy_of(rows(all_q.view(), i, 1));
    Matrix alone = attend(some_q, some_k, some_v, options, SegmentTable::packed({1}), SegmentTable::packed(one(n)));
    CHECK(distance(rows(y.view(), i, 1), alone) < 1e-15);
  }
}

TEMPLATE_TEST_CASE("the saved weights of every query sum to 1 over its keys and are 0 beyond", "",
                   Reference<double>, Cpu<double>) {
  const SegmentTable queries = SegmentTable::packed({3, 1}), keys = SegmentTable::packed({2, 5});
  Matrix q = Matrix::normal(4, 4, 1), k = Matrix::normal(7, 4, 2), v = Matrix::normal(7, 4, 3), y(4, 4);
  TestType dev;
  AttentionCache<TestType> cache;
  attention_forward(dev, y, cache, {q, k, v, queries.view(), keys.view()}, {2, false, {0.5, 18, Side::source}});
  for (std::size_t n = 0; n < 4; ++n) {
    for (std::size_t h = 0; h < 2; ++h) {
      const double* const p = cache.weights.row(n * 2 + h);
      const std::size_t S = n < 3 ? 2 : 5;
      double sum = 0;
      for (std::size_t s = 0; s < S; ++s) sum += p[s];
      CHECK(sum == Approx(1).epsilon(1e-14));
      for (std::size_t s = S; s < 5; ++s) CHECK(p[s] == 0);
    }
  }
}

// Dot products of normal vectors have variance Dk. Without the scale, softmax saturates for wide heads: one weight
// becomes 1, and almost no gradient is left. 1 - sum p^2 is the trace of softmax's Jacobian.
TEST_CASE("without the scale 1/sqrt(Dk) the softmax of a wide head lets no gradient through") {
  const auto trace = [](std::size_t Dk, double factor) {
    constexpr std::size_t N = 32;
    Matrix q = Matrix::normal(N, Dk, 1), k = Matrix::normal(N, Dk, 2), v = Matrix::normal(N, Dk, 3), y(N, Dk);
    for (double& x : q.values) x *= factor;
    const SegmentTable all = SegmentTable::packed({N});
    Dev dev;
    AttentionCache<Dev> cache;
    attention_forward(dev, y, cache, {q, k, v, all.view(), all.view()}, {1, false, {}});
    double squares = 0;
    for (std::size_t i = 0; i < N * N; ++i) squares += std::pow(cache.weights.row(i / N)[i % N], 2);
    return 1 - squares / N;
  };
  CHECK(trace(512, 1) > 0.8 * trace(8, 1));
  CHECK(trace(512, std::sqrt(512.0)) < 0.3 * trace(8, std::sqrt(8.0)));
}
