// Properties of several heads and their projections for any numbers: two ways to the same result.

#include "03_attention/multi_head_attention.hpp"
#include "chapters/03_attention/matrix.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
using Dev = Cpu<double>;

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

TEST_CASE("multi-head attention equals separate heads with their own matrices, in values and gradients") {
  constexpr std::size_t D = 6, H = 3, Dk = D / H;
  const SegmentTable sentences = SegmentTable::packed({4, 3});
  const std::size_t N = sentences.rows;
  MultiHead packed(D, H);
  Matrix x = Matrix::normal(N, D, 3), dy = Matrix::normal(N, D, 4), y(N, D), dx(N, D);
  Dev dev;
  SelfAttentionCache<Dev> cache;
  self_attention_forward(dev, y, cache, {x, sentences.view()}, packed.p(), packed.options());
  self_attention_backward(dev, dx, packed.dp(), dy, {x, sentences.view()}, cache, packed.p(), packed.options());

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
    attention_forward(dev, out, caches[h],
                      {z[3 * h], z[3 * h + 1], z[3 * h + 2], sentences.view(), sentences.view()}, {1, false, {}});
    put(columns(joined.view(), h * Dk, Dk), out);
  }
  linear_forward(dev, listed_y, joined, LinearParams<Dev>{packed.wo, {}});
  CHECK(distance(y, listed_y) < 1e-12);

  linear_backward(dev, djoined, LinearParams<Dev>{dwo, {}}, dy, joined, LinearParams<Dev>{packed.wo, {}});
  CHECK(distance(packed.dwo, dwo) < 1e-12);
  for (std::size_t h = 0; h < H; ++h) {
    Matrix dout = Matrix::copy_of(columns(djoined.view(), h * Dk, Dk));
    std::vector<Matrix> dz(3, Matrix(N, Dk));
    attention_backward(dev, {dz[0], dz[1], dz[2]}, dout,
                       {z[3 * h], z[3 * h + 1], z[3 * h + 2], sentences.view(), sentences.view()}, caches[h],
                       {1, false, {}});
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
    "the fused projection equals three separate ones, and cross-attention with memory x equals self-attention") {
  constexpr std::size_t D = 4;
  const SegmentTable sentences = SegmentTable::packed({3, 2});
  const std::size_t N = sentences.rows;
  MultiHead m(D, 2);
  Matrix x = Matrix::normal(N, D, 3), dy = Matrix::normal(N, D, 4), y(N, D), dx(N, D);
  Dev dev;
  SelfAttentionCache<Dev> self;
  self_attention_forward(dev, y, self, {x, sentences.view()}, m.p(), m.options());
  for (std::size_t part = 0; part < 3; ++part) {
    Matrix w = Matrix::copy_of(columns(m.wqkv.view(), part * D, D)), z(N, D);
    linear_forward(dev, z, x, LinearParams<Dev>{w, {}});
    CHECK(distance(packed_part(self.qkv, part, D), z) < 1e-13);
  }
  self_attention_backward(dev, dx, m.dp(), dy, {x, sentences.view()}, self, m.p(), m.options());

  MultiHead c(D, 2);
  Matrix cross_y(N, D), cross_dx(N, D), dmemory(N, D);
  CrossAttentionCache<Dev> cross;
  cross_attention_forward(dev, cross_y, cross, {x, sentences.view()}, {x, sentences.view()}, c.p(), c.options());
  cross_attention_backward(dev, cross_dx, dmemory, c.dp(), dy, {x, sentences.view()}, {x, sentences.view()}, cross,
                           c.p(), c.options());
  add(dev, cross_dx, dmemory);  // the stream has two readers
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
  self_attention_forward(dev, y, cache, {x, sentences.view()}, m.p(), m.options());
  self_attention_backward(dev, dx, m.dp(), dy, {x, sentences.view()}, cache, m.p(), m.options());
  self_attention_backward(dev, dy, m.dp(), dy, {x, sentences.view()}, cache, m.p(), m.options());
  CHECK(dy.values == dx.values);
}

TEST_CASE("cross-attention takes sides of unequal length, and its first query sees the last source token") {
  constexpr std::size_t D = 4;
  const SegmentTable target = SegmentTable::packed({2, 3}), source = SegmentTable::packed({5, 1});
  MultiHead m(D, 2);
  Matrix x = Matrix::normal(5, D, 3), memory = Matrix::normal(6, D, 4), y(5, D), moved(5, D);
  Dev dev;
  CrossAttentionCache<Dev> cache;
  const auto run = [&](Matrix& out) {
    cross_attention_forward(dev, out, cache, {x, target.view()}, {memory, source.view()}, m.p(), m.options());
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
