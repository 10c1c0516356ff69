#include "03_attention/attention_reference.hpp"
#include "00_foundations/dropout_reference.hpp"
#include "03_attention/attention.hpp"
#include "gradus/ops/elementwise.hpp"

#include <cmath>

namespace gradus {
namespace {

/// The rows and columns of one head of one sentence.
struct Block {
  std::size_t query, T;         // first row and number of queries
  std::size_t key, S;           // the same for keys
  std::size_t head, first, Dk;  // number of the head, its first column, its width
};

template <class Dev, class F>
void each_block(const AttentionInput<Dev>& x, std::size_t heads, F&& f) {
  check_segments("queries", x.queries);
  check_segments("keys", x.keys);
  const std::size_t Dk = x.q.extent[1] / heads;
  const auto size = [](std::int32_t n) { return static_cast<std::size_t>(n); };
  for (std::size_t i = 0; i < x.queries.sentences(); ++i) {
    for (std::size_t h = 0; h < heads; ++h) {
      f(Block{size(x.queries.begin[i]), size(x.queries.length[i]), size(x.keys.begin[i]), size(x.keys.length[i]), h,
              h * Dk, Dk});
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
void attention_forward(Reference<Real>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache,
                       const AttentionInput<Dev>& x, const AttentionOptions& options) {
  check_attention<Dev>(y, x, options);
  cache.weights = dev.kept.matrix(x.queries.rows * options.heads, x.keys.longest);
  fill(dev, cache.weights, 0);
  fill(dev, y, 0);
  each_block<Dev>(x, options.heads, [&](const Block& b) {
    // exercise: begin
    const Array<Real> q = array(query_part(x.q, b)), k = array(key_part(x.k, b)), v = array(key_part(x.v, b));
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
void attention_backward(Reference<Real>& dev, const AttentionGradients<Dev>& dx, In<Dev, 2> dy_,
                        const AttentionInput<Dev>& x, const AttentionCache<Dev>& cache,
                        const AttentionOptions& options) {
  check_attention_gradients<Dev>(dx, dy_, x, cache, options);
  for (const Out<Dev, 2>& d : {dx.q, dx.k, dx.v}) fill(dev, d, 0);
  each_block<Dev>(x, options.heads, [&](const Block& b) {
    // exercise: begin
    const Array<Real> q = array(query_part(x.q, b)), k = array(key_part(x.k, b)), v = array(key_part(x.v, b));
    const Array<Real> p = array(weights_part(cache.weights, b, options.heads)), dy = array(query_part(dy_, b));
    const Array<Real> m = weights_mask<Real>(b, options, dev.state);  // (T, S)
    const Real scale = 1 / std::sqrt(static_cast<double>(b.Dk));
    store<Real>(key_part(dx.v, b), product<Real>(transposed<Real>(m * p), dy));  // eq:3.7
    const Array<Real> dp = m * product(dy, transposed(v));                       // eq:3.8
    const Array<Real> ds = p * (dp - row_sum<Real>(p * dp));                     // eq:3.9
    store<Real>(query_part(dx.q, b), scale * product(ds, k));                    // eq:3.10
    store<Real>(key_part(dx.k, b), scale * product(transposed(ds), q));          // eq:3.11
    // exercise: end
  });
}

template AttentionForward<Reference<double>> attention_forward;
template AttentionForward<Reference<Dual>> attention_forward;
template AttentionBackward<Reference<double>> attention_backward;

}  // namespace gradus
