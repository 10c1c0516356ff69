#include "03_attention/attention_reference.hpp"
#include "00_foundations/dropout_reference.hpp"
#include "03_attention/attention.hpp"
#include "gradus/ops/elementwise.hpp"

#include <cmath>

namespace gradus {
namespace {

/// One head of one sentence: which rows, which columns.
struct Block {
  std::size_t query, T;         // first row and number of queries
  std::size_t key, S;           // the same for keys
  std::size_t head, first, Dk;  // number of the head, its first column, its width
};

template <class Dev, class F>
void each_block(const Segments<Dev>& queries, const Segments<Dev>& keys, std::size_t D, std::size_t heads, F&& f) {
  check_segments("queries", queries);
  check_segments("keys", keys);
  const auto size = [](std::int32_t n) { return static_cast<std::size_t>(n); };
  for (std::size_t i = 0; i < queries.sentences(); ++i) {
    for (std::size_t h = 0; h < heads; ++h) {
      f(Block{size(queries.begin[i]), size(queries.length[i]), size(keys.begin[i]), size(keys.length[i]), h,
              h * D / heads, D / heads});
    }
  }
}

template <class T>
View<T, 2, Host> query_part(View<T, 2, Host> x, const Block& b) {
  return columns(rows(x, b.query, b.T), b.first, b.Dk);
}
template <class T>
View<T, 2, Host> key_part(View<T, 2, Host> x, const Block& b) {
  return columns(rows(x, b.key, b.S), b.first, b.Dk);
}
/// The saved weights of this block, (T, S): every heads-th row.
template <class T>
View<T, 2, Host> weights_part(View<T, 2, Host> weights, const Block& b, std::size_t heads) {
  return {weights.row(b.query * heads + b.head), {b.T, b.S}, weights.stride * heads};
}

/// 1 where query t may see key s, (T, S).
Array<double> visible(const Block& b, bool causal) {
  Array<double> mask = xt::zeros<double>({b.T, b.S});
  for (std::size_t t = 0; t < b.T; ++t) {
    for (std::size_t s = 0; s < visible_keys(t, b.T, b.S, causal); ++s) mask(t, s) = 1;
  }
  return mask;
}

template <class Real>
Array<Real> weights_mask(const Block& b, const AttentionOptions& options, const StepState& state) {
  return dropout_mask<Real>(options.dropout, state, b.T, b.S, b.query, options.heads, b.head);
}

}  // namespace

template <class Real, class Dev>
void attention_forward(Reference<Real>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache, In<Dev, 2> q_,
                       In<Dev, 2> k_, In<Dev, 2> v_, const Segments<Dev>& queries, const Segments<Dev>& keys,
                       const AttentionOptions& options) {
  check_attention<Dev>(y, q_, k_, v_, queries, keys, options);
  cache.weights = dev.kept.matrix(queries.rows * options.heads, keys.longest);
  fill(dev, cache.weights, 0);
  fill(dev, y, 0);
  each_block<Dev>(queries, keys, q_.extent[1], options.heads, [&](const Block& b) {
    // exercise: begin
    const Array<Real> q = array(query_part(q_, b)), k = array(key_part(k_, b)), v = array(key_part(v_, b));
    const Array<Real> m = weights_mask<Real>(b, options, dev.state);  // (T, S)
    const Real scale = 1 / std::sqrt(static_cast<double>(b.Dk));
    const Array<Real> s = scale * product(q, transposed(k));                     // eq:3.1
    const Array<Real> p = visible_softmax<Real>(s, visible(b, options.causal));  // eq:3.2
    store<Real>(query_part(y, b), product<Real>(m * p, v));                      // eq:3.3
    store<Real>(weights_part(cache.weights, b, options.heads), p);
    // exercise: end
  });
}

template <class Real, class Dev>
void attention_backward(Reference<Real>& dev, Out<Dev, 2> dq, Out<Dev, 2> dk, Out<Dev, 2> dv, In<Dev, 2> dy_,
                        In<Dev, 2> q_, In<Dev, 2> k_, In<Dev, 2> v_, const Segments<Dev>& queries,
                        const Segments<Dev>& keys, const AttentionCache<Dev>& cache,
                        const AttentionOptions& options) {
  check_attention_gradients<Dev>(dq, dk, dv, dy_, q_, k_, v_, queries, keys, cache, options);
  for (const Out<Dev, 2>& d : {dq, dk, dv}) fill(dev, d, 0);
  each_block<Dev>(queries, keys, q_.extent[1], options.heads, [&](const Block& b) {
    // exercise: begin
    const Array<Real> q = array(query_part(q_, b)), k = array(key_part(k_, b)), v = array(key_part(v_, b));
    const Array<Real> p = array(weights_part(cache.weights, b, options.heads)), dy = array(query_part(dy_, b));
    const Array<Real> m = weights_mask<Real>(b, options, dev.state);  // (T, S)
    const Real scale = 1 / std::sqrt(static_cast<double>(b.Dk));
    store<Real>(key_part(dv, b), product<Real>(transposed<Real>(m * p), dy));  // eq:3.4
    const Array<Real> dp = m * product(dy, transposed(v));                     // eq:3.5
    const Array<Real> ds = p * (dp - row_sum<Real>(p * dp));                   // eq:3.6
    store<Real>(query_part(dq, b), scale * product(ds, k));                    // eq:3.7
    store<Real>(key_part(dk, b), scale * product(transposed(ds), q));          // eq:3.8
    // exercise: end
  });
}

using D = Reference<double>;
using E = Reference<Dual>;
template void attention_forward(D&, Out<D, 2>, AttentionCache<D>&, In<D, 2>, In<D, 2>, In<D, 2>, const Segments<D>&,
                                const Segments<D>&, const AttentionOptions&);
template void attention_forward(E&, Out<E, 2>, AttentionCache<E>&, In<E, 2>, In<E, 2>, In<E, 2>, const Segments<E>&,
                                const Segments<E>&, const AttentionOptions&);
template void attention_backward(D&, Out<D, 2>, Out<D, 2>, Out<D, 2>, In<D, 2>, In<D, 2>, In<D, 2>, In<D, 2>,
                                 const Segments<D>&, const Segments<D>&, const AttentionCache<D>&,
                                 const AttentionOptions&);

}  // namespace gradus
