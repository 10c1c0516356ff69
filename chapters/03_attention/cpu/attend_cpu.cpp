#include "03_attention/attend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "03_attention/cpu/small_product_cpu.hpp"
#include "03_attention/cpu/spare_rows_cpu.hpp"
#include "gradus/ops/cpu/exp_cpu.hpp"
#include "gradus/ops/cpu/register_tile_cpu.hpp"
#include "gradus/ops/cpu/transpose_cpu.hpp"

namespace gradus {
namespace {

/// The weights of a few queries: a row of p for each query and head, with room for all keys.
template <class Real>
struct Weights {
  Real* p;
  std::size_t room, heads, Dk;

  Real* row(std::size_t query, std::size_t head) const { return p + (query * heads + head) * room; }
};

/// One register of a key, multiplied by the same columns of R queries.
template <class Real, std::size_t... r>
inline void add_products(Vector<Real>* sum, Strided<Real> q, Vector<Real> k, std::index_sequence<r...>) {
  ((sum[r] += load(q.data + r * q.stride) * k), ...);
}

/// For each of R queries a register whose elements add up to its dot product with the key k.
template <int R, class Real>
void partial_dots(Vector<Real> (&sum)[R], Strided<Real> q, const Real* k, std::size_t Dk) {
  constexpr std::size_t width = vector_width<Real>;
  for (Vector<Real>& s : sum) s = Vector<Real>{};
  std::size_t d = 0;
  for (; d + width <= Dk; d += width) {
    add_products<Real>(sum, {q.data + d, q.stride}, load(k + d), std::make_index_sequence<R>());
  }
  for (; d < Dk; ++d) {
    for (std::size_t r = 0; r < R; ++r) sum[r][0] += q.data[r * q.stride + d] * k[d];
  }
}

/// p = scale q k^T for R queries, one head, and as many keys as a register has elements. `sums` needs them all; those
/// beyond `keys` count as zero.
template <int R, class Real>
void score(Real* p, std::size_t p_stride, Strided<Real> q, Strided<Real> k, std::size_t keys, std::size_t Dk,
           Real scale) {
  constexpr std::size_t width = vector_width<Real>;
  Vector<Real> partial[R][width] = {};
  for (std::size_t s = 0; s < std::min(keys, width); ++s) {
    Vector<Real> sum[R];
    partial_dots(sum, q, k.data + s * k.stride, Dk);
    for (std::size_t r = 0; r < R; ++r) partial[r][s] = sum[r];
  }
  for (std::size_t r = 0; r < R; ++r) store<Real>(p + r * p_stride, scale * sums<Real>(partial[r]));  // eq:3.1
}

/// The scores of R queries and n keys. A few keys meet all heads before the next ones are read, because most keys come from
/// far away.
template <int R, class Real>
void score_all(const Weights<Real>& w, Strided<Real> q, Strided<Real> k, std::size_t n, Real scale) {
  for (std::size_t first = 0; first < n; first += vector_width<Real>) {
    for (std::size_t h = 0; h < w.heads; ++h) {
      score<R>(w.row(0, h) + first, w.heads * w.room, {q.data + h * w.Dk, q.stride},
               {k.data + first * k.stride + h * w.Dk, k.stride}, n - first, w.Dk, scale);
    }
  }
}

/// Scores of R queries and one head, with keys that are turned. A register holds one column of many keys, so no sum is across a
/// register. Each turn of the loop computes V registers; it ends when the last one would have no key. Returns the first key that
/// is left.
template <int R, int V, class Real>
std::size_t score_turned(const Weights<Real>& w, std::size_t head, Strided<Real> q, Strided<Real> turned,
                         std::size_t from, std::size_t n, Real scale) {
  constexpr std::size_t width = vector_width<Real>;
  for (; from + (V - 1) * width < n; from += V * width) {
    const Strided<Real> keys{turned.data + head * w.Dk * turned.stride + from, turned.stride};
    Real* const to = w.row(0, head) + from;
    const std::size_t stride = w.heads * w.room;
    register_tile<R, V, Real>({q.data + head * w.Dk, q.stride}, keys, w.Dk,
                              [=](std::size_t r, std::size_t v, Vector<Real> sum) {
                                store<Real>(to + r * stride + v * width, scale * sum);  // eq:3.1
                              });
  }
  return from;
}

/// The scores of R queries and n keys that are turned: (heads Dk, n).
template <int R, class Real>
void score_all_turned(const Weights<Real>& w, Strided<Real> q, Strided<Real> turned, std::size_t n, Real scale) {
  for (std::size_t h = 0; h < w.heads; ++h) {
    std::size_t from = 0;
    if constexpr (R <= 3) from = score_turned<R, 2 * tile_registers>(w, h, q, turned, from, n, scale);
    from = score_turned<R, tile_registers>(w, h, q, turned, from, n, scale);
    score_turned<R, 1>(w, h, q, turned, from, n, scale);
  }
}

/// V registers of columns of y = p v, for R queries, n keys and one head. The sums stay in registers.
template <int R, int V, class Real>
void weighted_columns(Real* y, std::size_t y_stride, Strided<Real> p, Strided<Real> v, std::size_t n) {
  register_tile<R, V>(p, v, n, [=](std::size_t r, std::size_t c, Vector<Real> sum) {
    store<Real>(y + r * y_stride + c * vector_width<Real>, sum);
  });
}

/// y = p v for R queries, n keys and one head.
template <int R, class Real>
void weighted_sum(Real* y, std::size_t y_stride, Strided<Real> p, Strided<Real> v, std::size_t n, std::size_t Dk) {
  constexpr std::size_t width = vector_width<Real>;
  std::size_t d = 0;
  for (; d + 2 * width <= Dk; d += 2 * width) weighted_columns<R, 2>(y + d, y_stride, p, {v.data + d, v.stride}, n);
  for (; d + width <= Dk; d += width) weighted_columns<R, 1>(y + d, y_stride, p, {v.data + d, v.stride}, n);
  for (; d < Dk; ++d) {
    for (std::size_t r = 0; r < R; ++r) {
      Real sum = 0;
      for (std::size_t s = 0; s < n; ++s) sum += p.data[r * p.stride + s] * v.data[s * v.stride + d];
      y[r * y_stride + d] = sum;
    }
  }
}

/// p (size) = softmax of its first n elements, then zeros. There is room for whole registers.
template <class Real>
void softmax(Real* p, std::size_t n, std::size_t size) {
  constexpr std::size_t width = vector_width<Real>;
  const std::size_t padded = whole_registers<Real>(n);
  std::fill(p + n, p + padded, std::numeric_limits<Real>::lowest());  // their exp is 0
  std::fill(p + padded, p + std::max(padded, size), Real(0));
  if (n == 0) return;
  Vector<Real> top = load(p), sum{};
  for (std::size_t s = width; s < padded; s += width) top = larger<Real>(load(p + s), top);
  const Real largest = largest_element<Real>(top);
  for (std::size_t s = 0; s < padded; s += width) {
    const Vector<Real> e = exp_of_elements<Real>(load(p + s) - largest);
    store<Real>(p + s, e);
    sum += e;
  }
  const Real inverse = 1 / sum_of_elements<Real>(sum);
  for (std::size_t s = 0; s < padded; s += width) store<Real>(p + s, inverse * load(p + s));
}

/// The queries and keys of one sentence. Query t is the t-th of T.
template <class Real>
struct OneSentence {
  Strided<Real> q, k, v, turned;  // `turned`: k, or absent
  std::size_t T, S;
  bool causal;
};

/// y = attention of R queries of a sentence, from query t on.
template <int R, class Real>
void attend_rows(Real* y, std::size_t y_stride, const Weights<Real>& w, const OneSentence<Real>& x, std::size_t t,
                 Real scale) {
  const std::size_t n = visible_keys(t + R - 1, x.T, x.S, x.causal);  // the last query sees most
  const Strided<Real> q{x.q.data + t * x.q.stride, x.q.stride};
  x.turned.data != nullptr ? score_all_turned<R>(w, q, x.turned, n, scale) : score_all<R>(w, q, x.k, n, scale);
  for (std::size_t r = 0; r < R; ++r) {
    const std::size_t seen = visible_keys(t + r, x.T, x.S, x.causal);
    for (std::size_t h = 0; h < w.heads; ++h) softmax(w.row(r, h), seen, n);  // eq:3.2
  }
  for (std::size_t h = 0; h < w.heads; ++h) {
    weighted_sum<R>(y + t * y_stride + h * w.Dk, y_stride, {w.row(0, h), w.heads * w.room},
                    {x.v.data + h * w.Dk, x.v.stride}, n, w.Dk);  // eq:3.3
  }
}

}  // namespace

template <class Real, class Dev>
void attend(Cpu<Real>& dev, Out<Dev, 2> y, const AttentionInput<Dev>& x, const AttentionOptions& options,
            In<Dev, 2> turned) {
  check_attention<Dev>(y, x, options);
  check_optional("attention: turned keys", turned, x.k.extent);
  require(options.dropout.rate == 0, "attend has no dropout");
  check_segments("queries", x.queries);
  check_segments("keys", x.keys);
  clear_spare_rows(dev, y, x.queries);
  const std::size_t H = options.heads, Dk = x.q.extent[1] / H, room = whole_registers<Real>(x.keys.longest);
  const Real scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(Dk)));
  Scratch<Cpu<Real>> scope(dev);
  const Weights<Real> w{dev.scratch.vector(tile_rows * H * room).data, room, H, Dk};
  const auto size = [](std::int32_t n) { return static_cast<std::size_t>(n); };
  const auto at = [](auto rows, std::size_t row) {
    return Strided<Real>{rows ? rows.row(row) : nullptr, rows.stride};
  };
  for (std::size_t i = 0; i < x.queries.sentences(); ++i) {
    const std::size_t query = size(x.queries.begin[i]), key = size(x.keys.begin[i]), S = size(x.keys.length[i]);
    const OneSentence<Real> one{
        at(x.q, query), at(x.k, key), at(x.v, key), {at(turned, key).data, S}, size(x.queries.length[i]), S,
        options.causal};
    each_row_tile(one.T, [&](std::size_t t, auto rows) {
      attend_rows<decltype(rows)::value>(y.row(query), y.stride, w, one, t, scale);
    });
  }
}

/// The last register of a row may reach beyond the row's end: so there is room beyond the last row of all.
template <class Real, class Dev>
Out<Dev, 2> room_for_turned(Cpu<Real>&, Workspace<Real, Host>& memory, std::size_t rows, std::size_t D) {
  return gradus::rows(memory.matrix(rows + (vector_width<Real> + D - 1) / D, D), 0, rows);
}

/// The keys of a sentence, turned, lie where the rows of the sentence are in k.
template <class Real, class Dev>
void turn_keys(Cpu<Real>&, Out<Dev, 2> turned, In<Dev, 2> k, const Segments<Dev>& keys) {
  check_shape("attention: turned keys", turned, k.extent);
  check_segments("keys", keys);
  for (std::size_t i = 0; i < keys.sentences(); ++i) {
    const auto first = static_cast<std::size_t>(keys.begin[i]), S = static_cast<std::size_t>(keys.length[i]);
    if (S > 0) transpose(turned.row(first), S, k.row(first), k.stride, S, k.extent[1]);
  }
}

using F = Cpu<float>;
using D = Cpu<double>;
template void attend(F&, Out<F, 2>, const AttentionInput<F>&, const AttentionOptions&, In<F, 2>);
template void attend(D&, Out<D, 2>, const AttentionInput<D>&, const AttentionOptions&, In<D, 2>);
template Out<F, 2> room_for_turned(F&, Workspace<float, Host>&, std::size_t, std::size_t);
template Out<D, 2> room_for_turned(D&, Workspace<double, Host>&, std::size_t, std::size_t);
template void turn_keys(F&, Out<F, 2>, In<F, 2>, const Segments<F>&);
template void turn_keys(D&, Out<D, 2>, In<D, 2>, const Segments<D>&);

}  // namespace gradus
