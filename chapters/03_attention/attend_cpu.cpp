#include "03_attention/attend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "03_attention/spare_rows_cpu.hpp"
#include "gradus/ops/exp_cpu.hpp"
#include "gradus/ops/vector_cpu.hpp"

namespace gradus {
namespace {

template <class Real>
constexpr std::size_t whole_registers(std::size_t n) {
  return (n + vector_width<Real> - 1) / vector_width<Real> * vector_width<Real>;
}

constexpr std::size_t heads_at_once = 4;

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

/// p = scale q k^T for one query and n keys, for some heads from `head` on. A key's row is read once for all of them, because
/// most rows come from far away. `sums` needs as many keys as a register has elements; those beyond n count as zero.
template <class Real>
void score(const Weights<Real>& w, std::size_t head, const Real* q, Strided<Real> k, std::size_t n, Real scale) {
  constexpr std::size_t width = vector_width<Real>;
  const std::size_t heads = std::min(w.heads - head, heads_at_once);
  for (std::size_t first = 0; first < n; first += width) {
    Vector<Real> partial[heads_at_once * width] = {};
    for (std::size_t s = 0; s < width && first + s < n; ++s) {
      for (std::size_t h = 0; h < heads; ++h) {
        const std::size_t column = (head + h) * w.Dk;
        partial[h * width + s] = partial_dot(q + column, k.data + (first + s) * k.stride + column, w.Dk);
      }
    }
    for (std::size_t h = 0; h < heads; ++h) {
      store<Real>(w.p + (head + h) * w.room + first, scale * sums<Real>(partial + h * width));  // eq:3.1
    }
  }
}

/// y = y + weight v
template <class Real>
void add_multiple(Real* y, Real weight, const Real* v, std::size_t n) {
  constexpr std::size_t width = vector_width<Real>;
  std::size_t d = 0;
  for (; d + width <= n; d += width) store<Real>(y + d, load(y + d) + weight * load(v + d));
  for (; d < n; ++d) y[d] += weight * v[d];
}

/// y = p v for one query and n keys.
template <class Real>
void weighted_sum(Real* y, const Weights<Real>& w, Strided<Real> v, std::size_t n) {
  std::fill_n(y, w.heads * w.Dk, Real(0));
  for (std::size_t s = 0; s < n; ++s) {
    const Real* const row = v.data + s * v.stride;
    for (std::size_t h = 0; h < w.heads; ++h) {
      add_multiple(y + h * w.Dk, w.p[h * w.room + s], row + h * w.Dk, w.Dk);  // eq:3.3
    }
  }
}

/// p (n) = softmax of p, n > 0. There is room for whole registers.
template <class Real>
void softmax(Real* p, std::size_t n) {
  constexpr std::size_t width = vector_width<Real>;
  const std::size_t padded = whole_registers<Real>(n);
  std::fill(p + n, p + padded, std::numeric_limits<Real>::lowest());  // their exp is 0
  Vector<Real> top = load(p), sum{};
  for (std::size_t s = width; s < padded; s += width) top = larger<Real>(load(p + s), top);
  const Real largest = largest_element<Real>(top);
#pragma omp simd
  for (std::size_t s = 0; s < padded; ++s) p[s] = fast_exp(p[s] - largest);
  for (std::size_t s = 0; s < padded; s += width) sum += load(p + s);
  const Real inverse = 1 / sum_of_elements<Real>(sum);
  for (std::size_t s = 0; s < padded; s += width) store<Real>(p + s, inverse * load(p + s));
}

}  // namespace

template <class Real, class Dev>
void attend(Cpu<Real>& dev, Out<Dev, 2> y, const AttentionInput<Dev>& x, const AttentionOptions& options) {
  constexpr std::size_t few = 2;  // from three queries on, attention_forward's lanes are faster
  if (x.queries.longest > few) return attend_as_attention(dev, y, x, options);
  check_attention<Dev>(y, x, options);
  require(options.dropout.rate == 0, "attend has no dropout");
  check_segments("queries", x.queries);
  check_segments("keys", x.keys);
  clear_spare_rows(dev, y, x.queries);
  const std::size_t H = options.heads, Dk = x.q.extent[1] / H, room = whole_registers<Real>(x.keys.longest);
  const Real scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(Dk)));
  Scratch<Cpu<Real>> scope(dev);
  const Weights<Real> w{dev.scratch.vector(H * room).data, room, H, Dk};
  const auto size = [](std::int32_t n) { return static_cast<std::size_t>(n); };
  for (std::size_t i = 0; i < x.queries.sentences(); ++i) {
    const std::size_t T = size(x.queries.length[i]), S = size(x.keys.length[i]), key = size(x.keys.begin[i]);
    for (std::size_t t = 0; t < T; ++t) {
      const std::size_t n = visible_keys(t, T, S, options.causal), query = size(x.queries.begin[i]) + t;
      for (std::size_t h = 0; n > 0 && h < H; h += heads_at_once) {
        score(w, h, x.q.row(query), {x.k.row(key), x.k.stride}, n, scale);
      }
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
