// What attention must do whatever its numbers are: two ways to the same result, judged against each other.

#include "03_attention/multi_head_attention.hpp"
#include "chapters/03_attention/matrix.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
using Dev = Cpu<double>;

/// Attention of one sentence per side, without saving what nobody asks for.
Matrix attend(const Matrix& q_, const Matrix& k_, const Matrix& v_, const AttentionOptions& options,
              const SegmentTable& queries, const SegmentTable& keys) {
  Dev dev;
  AttentionCache<Dev> cache;
  Matrix q = q_, k = k_, v = v_, y(q.rows, q.columns);
  attention_forward(dev, y, cache, q, k, v, queries.view(), keys.view(), options);
  return y;
}

std::vector<std::int32_t> one(std::size_t length) { return {static_cast<std::int32_t>(length)}; }

/// A whole multi-head attention with its gradients.
struct MultiHead {
  std::size_t D, H;
  Matrix wqkv = Matrix::normal(D, 3 * D, 1), wo = Matrix::normal(D, D, 2);
  Matrix dwqkv{D, 3 * D}, dwo{D, D};

  MultiHead(std::size_t width, std::size_t heads) : D(width), H(heads) {}
  AttentionParams<Dev> p() { return {wqkv, {}, wo, {}}; }
  AttentionParams<Dev> dp() { return {dwqkv, {}, dwo, {}}; }
  AttentionOptions options() const { return {H, false, {}}; }
};
}  // namespace

TEST_CASE("heads: splitting into column views and concatenating are each other's inverse") {
  constexpr std::size_t N = 3, H = 3, Dk = 2;
  const Matrix whole = Matrix::normal(N, H * Dk, 1);
  Matrix joined(N, H * Dk), x = whole;
  std::vector<Matrix> parts;
  for (std::size_t h = 0; h < H; ++h) parts.push_back(Matrix::copy_of(columns(x.view(), h * Dk, Dk)));
  for (std::size_t h = 0; h < H; ++h) put(columns(joined.view(), h * Dk, Dk), parts[h]);
  CHECK(joined.values == whole.values);
  for (std::size_t h = 0; h < H; ++h) {
    CHECK(Matrix::copy_of(columns(joined.view(), h * Dk, Dk)).values == parts[h].values);
  }
}

TEST_CASE("multi-head attention is a list of heads with matrices of their own, in values and gradients") {
  constexpr std::size_t D = 6, H = 3, Dk = D / H;
  const SegmentTable sentences = SegmentTable::packed({4, 3});
  const std::size_t N = sentences.rows;
  MultiHead packed(D, H);
  Matrix x = Matrix::normal(N, D, 3), dy = Matrix::normal(N, D, 4), y(N, D), dx(N, D);
  Dev dev;
  SelfAttentionCache<Dev> cache;
  self_attention_forward(dev, y, cache, x, sentences.view(), packed.p(), packed.options());
  self_attention_backward(dev, dx, packed.dp(), dy, x, sentences.view(), cache, packed.p(), packed.options());

  // The same with one small attention per head: three (D, Dk) matrices each, outputs side by side.
  Matrix joined(N, D), listed_y(N, D), djoined(N, D), dwo(D, D), listed_dx(N, D), dx_part(N, D);
  std::vector<Matrix> w, z;  // of each head: the matrices, and q, k, v
  for (std::size_t i = 0; i < 3 * H; ++i) {
    const std::size_t head = i / 3, part = i % 3;
    w.push_back(Matrix::copy_of(columns(packed.wqkv.view(), part * D + head * Dk, Dk)));
    z.emplace_back(N, Dk);
    linear_forward(dev, z[i], x, LinearParams<Dev>{w[i], {}});
  }
  std::vector<AttentionCache<Dev>> caches(H);
  for (std::size_t h = 0; h < H; ++h) {
    Matrix out(N, Dk);
    attention_forward(dev, out, caches[h], z[3 * h], z[3 * h + 1], z[3 * h + 2], sentences.view(), sentences.view(),
                      {1, false, {}});
    put(columns(joined.view(), h * Dk, Dk), out);
  }
  linear_forward(dev, listed_y, joined, LinearParams<Dev>{packed.wo, {}});
  CHECK(distance(y, listed_y) < 1e-12);

  linear_backward(dev, djoined, LinearParams<Dev>{dwo, {}}, dy, joined, LinearParams<Dev>{packed.wo, {}});
  CHECK(distance(packed.dwo, dwo) < 1e-12);
  for (std::size_t h = 0; h < H; ++h) {
    Matrix dout = Matrix::copy_of(columns(djoined.view(), h * Dk, Dk));
    std::vector<Matrix> dz(3, Matrix(N, Dk));
    attention_backward(dev, dz[0], dz[1], dz[2], dout, z[3 * h], z[3 * h + 1], z[3 * h + 2], sentences.view(),
                       sentences.view(), caches[h], {1, false, {}});
    for (std::size_t part = 0; part < 3; ++part) {
      Matrix dw(D, Dk);
      linear_backward(dev, dx_part, LinearParams<Dev>{dw, {}}, dz[part], x, LinearParams<Dev>{w[3 * h + part], {}});
      add(dev, listed_dx, dx_part);
      CHECK(distance(columns(packed.dwqkv.view(), part * D + h * Dk, Dk), dw) < 1e-12);
    }
  }
  CHECK(distance(dx, listed_dx) < 1e-12);
}

TEST_CASE(
    "the fused projection is three separate ones, and cross-attention over the own stream is self-attention") {
  constexpr std::size_t D = 4;
  const SegmentTable sentences = SegmentTable::packed({3, 2});
  const std::size_t N = sentences.rows;
  MultiHead m(D, 2);
  Matrix x = Matrix::normal(N, D, 3), dy = Matrix::normal(N, D, 4), y(N, D), dx(N, D);
  Dev dev;
  SelfAttentionCache<Dev> self;
  self_attention_forward(dev, y, self, x, sentences.view(), m.p(), m.options());
  for (std::size_t part = 0; part < 3; ++part) {
    Matrix w = Matrix::copy_of(columns(m.wqkv.view(), part * D, D)), z(N, D);
    linear_forward(dev, z, x, LinearParams<Dev>{w, {}});
    CHECK(distance(packed_part(self.qkv, part, D), z) < 1e-13);
  }
  self_attention_backward(dev, dx, m.dp(), dy, x, sentences.view(), self, m.p(), m.options());

  MultiHead c(D, 2);
  Matrix cross_y(N, D), cross_dx(N, D), dmemory(N, D);
  CrossAttentionCache<Dev> cross;
  cross_attention_forward(dev, cross_y, cross, x, x, sentences.view(), sentences.view(), c.p(), c.options());
  cross_attention_backward(dev, cross_dx, dmemory, c.dp(), dy, x, x, sentences.view(), sentences.view(), cross,
                           c.p(), c.options());
  add(dev, cross_dx, dmemory);  // the one stream was read twice
  CHECK(distance(y, cross_y) < 1e-13);
  CHECK(distance(dx, cross_dx) < 1e-12);
  CHECK(distance(m.dwqkv, c.dwqkv) < 1e-12);
  CHECK(distance(m.dwo, c.dwo) < 1e-12);
}

TEST_CASE("self-attention's backward may write dx over dy") {
  const SegmentTable sentences = SegmentTable::packed({3});
  MultiHead m(4, 2);
  Matrix x = Matrix::normal(3, 4, 3), dy = Matrix::normal(3, 4, 4), y(3, 4), dx(3, 4);
  Dev dev;
  SelfAttentionCache<Dev> cache;
  self_attention_forward(dev, y, cache, x, sentences.view(), m.p(), m.options());
  self_attention_backward(dev, dx, m.dp(), dy, x, sentences.view(), cache, m.p(), m.options());
  self_attention_backward(dev, dy, m.dp(), dy, x, sentences.view(), cache, m.p(), m.options());
  CHECK(dy.values == dx.values);
}

TEST_CASE("cross-attention takes sides of unequal length, and its first query hears the last source token") {
  constexpr std::size_t D = 4;
  const SegmentTable target = SegmentTable::packed({2, 3}), source = SegmentTable::packed({5, 1});
  MultiHead m(D, 2);
  Matrix x = Matrix::normal(5, D, 3), memory = Matrix::normal(6, D, 4), y(5, D), moved(5, D);
  Dev dev;
  CrossAttentionCache<Dev> cache;
  const auto run = [&](Matrix& out) {
    cross_attention_forward(dev, out, cache, x, memory, target.view(), source.view(), m.p(), m.options());
  };
  run(y);
  CHECK(cache.attention.weights.extent == std::array<std::size_t, 2>{5 * 2, 5});
  memory.values[4 * D] += 1;  // the last token of the first sentence
  run(moved);
  const auto changed = [&](std::size_t row) {
    return distance(rows(y.view(), row, 1), rows(moved.view(), row, 1));
  };
  CHECK(changed(0) > 1e-3);
  CHECK(changed(1) > 1e-3);
  for (const std::size_t other_sentence : {2, 3, 4}) CHECK(changed(other_sentence) == 0);
}

TEST_CASE("a query segment of K beams over a memory is K sentences with that memory") {
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

TEST_CASE("causal attention over a cache: a query alone is that row of the whole") {
  constexpr std::size_t T = 6, D = 4;
  const Matrix q = Matrix::normal(T, D, 1), k = Matrix::normal(T, D, 2), v = Matrix::normal(T, D, 3);
  const AttentionOptions options{2, true, {}};
  Matrix whole = attend(q, k, v, options, SegmentTable::packed({T}), SegmentTable::packed({T}));
  for (std::size_t n = 1; n <= T; ++n) {    // so many keys are known by now
    for (std::size_t t = 1; t <= n; ++t) {  // of which the last t are new
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

TEST_CASE("segments may lie anywhere and in any order: caches of beams do") {
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
  attention_forward(dev, y, cache, q, k, v, queries.view(), keys.view(), {2, false, {0.5, 18, Side::source}});
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

// Dot products of normal vectors have variance Dk. Without the scale, softmax saturates as heads grow wider: one
// weight takes all, and next to no gradient gets through. 1 - sum p^2 is the trace of softmax's Jacobian.
TEST_CASE("without the scale 1/sqrt(Dk) the softmax of a wide head lets no gradient through") {
  const auto trace = [](std::size_t Dk, double factor) {
    constexpr std::size_t N = 32;
    Matrix q = Matrix::normal(N, Dk, 1), k = Matrix::normal(N, Dk, 2), v = Matrix::normal(N, Dk, 3), y(N, Dk);
    for (double& x : q.values) x *= factor;
    const SegmentTable all = SegmentTable::packed({N});
    Dev dev;
    AttentionCache<Dev> cache;
    attention_forward(dev, y, cache, q, k, v, all.view(), all.view(), {1, false, {}});
    double squares = 0;
    for (std::size_t i = 0; i < N * N; ++i) squares += std::pow(cache.weights.row(i / N)[i % N], 2);
    return 1 - squares / N;
  };
  CHECK(trace(512, 1) > 0.8 * trace(8, 1));
  CHECK(trace(512, std::sqrt(512.0)) < 0.3 * trace(8, std::sqrt(8.0)));
}
