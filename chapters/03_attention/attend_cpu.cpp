#include "03_attention/attend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "03_attention/small_product_cpu.hpp"
#include "03_attention/spare_rows_cpu.hpp"
#include "gradus/ops/exp_cpu.hpp"
#include "gradus/ops/vector_cpu.hpp"

namespace gradus {
namespace {

/// The weights of one query: p (heads, room).
template <class Real>
struct Weights {
  Real* p;
  std::size_t room, heads, Dk;
};

/// A register whose elements add up to the dot product of a and b.
template <class Real>
Vector<Real> partial_dot(const Real* a, const Real* b, std::size_t n) {
  constexpr std::size_t width = vector_width<Real>;
  Vector<Real> sum{};
  std::size_t d = 0;
  for (; d + width <= n; d += width) sum += load(a + d) * load(b + d);
  for (; d < n; ++d) sum[0] += a[d] * b[d];
  return sum;
}

/// p = scale q k^T for one query and n keys. A key's row is read once for all heads, because most of them come from far away.
template <class Real>
void score(const Weights<Real>& w, const Real* q, Strided<Real> k, std::size_t n, Real scale) {
  constexpr std::size_t width = vector_width<Real>;
  Vector<Real> partial[width] = {};
  Real* place[width];
  std::size_t filled = 0;
  const auto finish = [&] {
    const Vector<Real> products = scale * sums<Real>(partial);
    for (std::size_t i = 0; i < filled; ++i) *place[i] = products[i];  // eq:3.1
    filled = 0;
  };
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t h = 0; h < w.heads; ++h) {
      place[filled] = w.p + h * w.room + s;
      partial[filled++] = partial_dot(q + h * w.Dk, k.data + s * k.stride + h * w.Dk, w.Dk);
      if (filled == width) finish();
    }
  }
  finish();
}

/// y = p v for one query and n keys.
template <class Real>
void weighted_sum(Real* y, const Weights<Real>& w, Strided<Real> v, std::size_t n) {
  std::fill_n(y, w.heads * w.Dk, Real(0));
  for (std::size_t s = 0; s < n; ++s) {
    const Real* const row = v.data + s * v.stride;
    for (std::size_t h = 0; h < w.heads; ++h) {
      const Real weight = w.p[h * w.room + s];
#pragma omp simd
      for (std::size_t d = h * w.Dk; d < (h + 1) * w.Dk; ++d) y[d] += weight * row[d];  // eq:3.3
    }
  }
}

/// p (n) = softmax of p, n > 0. There is room for whole lanes.
template <class Real>
void softmax(Real* p, std::size_t n) {
  const std::size_t padded = whole_lanes<Real>(n);
  std::fill(p + n, p + padded, std::numeric_limits<Real>::lowest());  // their exp is 0
  Real largest = p[0], sum = 0;
#pragma omp simd reduction(max : largest)
  for (std::size_t s = 0; s < padded; ++s) largest = p[s] > largest ? p[s] : largest;
#pragma omp simd reduction(+ : sum)
  for (std::size_t s = 0; s < padded; ++s) {
    p[s] = fast_exp(p[s] - largest);
    sum += p[s];
  }
  const Real inverse = 1 / sum;
#pragma omp simd
  for (std::size_t s = 0; s < padded; ++s) p[s] *= inverse;
}

}  // namespace

template <class Real, class Dev>
void attend(Cpu<Real>& dev, Out<Dev, 2> y, const AttentionInput<Dev>& x, const AttentionOptions& options) {
  check_attention<Dev>(y, x, options);
  require(options.dropout.rate == 0, "attend has no dropout");
  check_segments("queries", x.queries);
  check_segments("keys", x.keys);
  clear_spare_rows(dev, y, x.queries);
  const std::size_t H = options.heads, Dk = x.q.extent[1] / H, room = whole_lanes<Real>(x.keys.longest);
  const Real scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(Dk)));
  Scratch<Cpu<Real>> scope(dev);
  const Weights<Real> w{dev.scratch.vector(H * room).data, room, H, Dk};
  const auto size = [](std::int32_t n) { return static_cast<std::size_t>(n); };
  for (std::size_t i = 0; i < x.queries.sentences(); ++i) {
    const std::size_t T = size(x.queries.length[i]), S = size(x.keys.length[i]), key = size(x.keys.begin[i]);
    for (std::size_t t = 0; t < T; ++t) {
      const std::size_t n = visible_keys(t, T, S, options.causal), query = size(x.queries.begin[i]) + t;
      if (n > 0) score(w, x.q.row(query), {x.k.row(key), x.k.stride}, n, scale);
      for (std::size_t h = 0; n > 0 && h < H; ++h) softmax(w.p + h * room, n);  // eq:3.2
      weighted_sum(y.row(query), w, {n > 0 ? x.v.row(key) : nullptr, x.v.stride}, n);
    }
  }
}

using F = Cpu<float>;
using D = Cpu<double>;
template void attend(F&, Out<F, 2>, const AttentionInput<F>&, const AttentionOptions&);
template void attend(D&, Out<D, 2>, const AttentionInput<D>&, const AttentionOptions&);

}  // namespace gradus
