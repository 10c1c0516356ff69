#include "03_attention/attention.hpp"
#include "03_attention/cpu/dropout_block_cpu.hpp"
#include "03_attention/cpu/small_product_cpu.hpp"
#include "03_attention/cpu/softmax_cpu.hpp"
#include "03_attention/cpu/spare_rows_cpu.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/ops/cpu/transpose_cpu.hpp"

namespace gradus {
namespace {

/// One head of one sentence. Its scores have one row for each key and one lane for each query.
struct Block {
  std::size_t query, T, pad;  // first row and number of queries; T rounded up to whole registers
  std::size_t key, S;         // first row and number of keys
  std::size_t head, first;    // number of the head, its first column
};

/// The values that all heads of all sentences share.
template <class Real>
struct Plan {
  const BasicSegments<Host>&queries, &keys;
  const AttentionOptions& options;
  std::size_t Dk, pad;
  Real scale;
  DropoutDraw draw;
  Real *turned, *weights, *scores, *factors;  ///< scratch: (Dk, T), and (S, T) three times

  Plan(Cpu<Real>& dev, const AttentionInput<Cpu<Real>>& x, const AttentionOptions& o)
      : queries(x.queries),
        keys(x.keys),
        options(o),
        Dk(x.q.extent[1] / o.heads),
        pad(whole_registers<Real>(queries.longest)),
        scale(static_cast<Real>(1 / std::sqrt(static_cast<double>(Dk)))),
        draw(o.dropout, dev.state),
        turned(dev.scratch.vector(Dk * pad).data),
        weights(dev.scratch.vector(keys.longest * pad).data),
        scores(dev.scratch.vector(keys.longest * pad).data),
        factors(dev.scratch.vector((keys.longest + dropout_keys<Real> - 1) * pad).data) {
    std::fill_n(factors, keys.longest * pad, Real(1));
  }

  template <class F>
  void each_block(F&& f) const {
    check_segments("queries", queries);
    check_segments("keys", keys);
    const auto size = [](std::int32_t n) { return static_cast<std::size_t>(n); };
    for (std::size_t i = 0; i < queries.sentences(); ++i) {
      Block b{size(queries.begin[i]), size(queries.length[i]), 0, size(keys.begin[i]), size(keys.length[i]), 0, 0};
      b.pad = whole_registers<Real>(b.T);
      for (; b.head < options.heads; ++b.head, b.first += Dk) f(b);
    }
  }

  ScoreBlock<Real> score_block(const Block& b) const {
    const int behind = static_cast<int>(b.T) - static_cast<int>(b.S);  // visible_keys(), solved for the query
    return {b.S, b.pad, options.causal ? behind : -static_cast<int>(b.S)};
  }

  /// Draws the dropout factors of a block. Without dropout they stay 1.
  void draw_factors(const Block& b) const {
    if (draw.active()) dropout_block(factors, b.pad, b.S, draw, b.query, options.heads, b.head);
  }
};

/// turned (columns, pad) = x^T for x (rows, columns), with zeros beyond `rows`. Behind x there may be no room for a whole register.
template <class Real>
void transpose_padded(Real* turned, std::size_t pad, const Real* x, std::size_t stride, std::size_t rows,
                      std::size_t columns) {
  const std::size_t whole = columns - columns % vector_width<Real>;
  transpose_registers(turned, pad, x, stride, rows, whole);
  for (std::size_t d = whole; d < columns; ++d) {
    for (std::size_t n = 0; n < pad; ++n) turned[d * pad + n] = n < rows ? x[n * stride + d] : Real(0);
  }
}

/// The saved weights of a block, (T, longest): every heads-th row.
template <class Real>
View<Real, 2, Host> saved_weights(View<Real, 2, Host> weights, const Block& b, std::size_t heads) {
  return {weights.row(b.query * heads + b.head), {b.T, weights.extent[1]}, weights.stride * heads};
}

/// saved (T, longest) = p^T for p (S, pad), with zeros beyond S.
template <class Real>
void save(View<Real, 2, Host> saved, const Real* p, const Block& b) {
  transpose_registers(saved.data, saved.stride, p, b.pad, b.S, b.T);
  for (std::size_t t = 0; t < b.T; ++t)
    std::fill(saved.row(t) + std::min(whole_registers<Real>(b.S), saved.extent[1]), saved.row(t) + saved.extent[1],
              Real(0));
}

/// Memory for the saved weights. Their rows have room for whole registers.
template <class Real>
View<Real, 2, Host> room_for_weights(Cpu<Real>& dev, std::size_t rows, std::size_t longest) {
  return columns(dev.kept.matrix(rows, whole_registers<Real>(longest)), 0, longest);
}

}  // namespace

template <class Real, class Dev>
void attention_forward(Cpu<Real>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache, const AttentionInput<Dev>& x,
                       const AttentionOptions& options) {
  check_attention<Dev>(y, x, options);
  const std::size_t H = options.heads;
  cache.weights = room_for_weights(dev, x.queries.rows * H, x.keys.longest);
  clear_spare_rows(dev, y, x.queries);
  clear_spare_rows(dev, cache.weights, x.queries);
  Scratch<Cpu<Real>> scope(dev);
  const Plan<Real> plan(dev, x, options);
  plan.each_block([&](const Block& b) {
    const auto at = [&b](auto rows, std::size_t row) { return rows ? rows.row(row) + b.first : nullptr; };
    Real* const p = plan.weights;  // (S, T)
    transpose_padded(plan.turned, b.pad, at(x.q, b.query), x.q.stride, b.T, plan.Dk);
    small_product(p, b.pad, by_rows(at(x.k, b.key), x.k.stride), plan.turned, b.pad, {b.S, b.pad, plan.Dk},
                  plan.scale);
    softmax_columns(p, plan.score_block(b));
    save(saved_weights(cache.weights, b, H), p, b);
    if (plan.draw.active()) {
      plan.draw_factors(b);
      multiply(p, plan.factors, b.S * b.pad);
    }
    small_product(at(y, b.query), y.stride, by_columns(p, b.pad), at(x.v, b.key), x.v.stride, {b.T, plan.Dk, b.S},
                  Real(1));
  });
}

template <class Real, class Dev>
void attention_backward(Cpu<Real>& dev, const AttentionGradients<Dev>& dx, In<Dev, 2> dy,
                        const AttentionInput<Dev>& x, const AttentionCache<Dev>& cache,
                        const AttentionOptions& options) {
  check_attention_gradients<Dev>(dx, dy, x, cache, options);
  require(cache.weights.stride >= whole_registers<Real>(x.keys.longest),
          "attention: these weights were not saved on Cpu");
  clear_spare_rows(dev, dx.q, x.queries);
  clear_spare_rows(dev, dx.k, x.keys);
  clear_spare_rows(dev, dx.v, x.keys);
  Scratch<Cpu<Real>> scope(dev);
  const Plan<Real> plan(dev, x, options);
  plan.each_block([&](const Block& b) {
    const auto at = [&b](auto rows, std::size_t row) { return rows ? rows.row(row) + b.first : nullptr; };
    Real *const ds = plan.scores, *const p = plan.weights;  // (S, T)
    const auto saved = saved_weights(cache.weights, b, options.heads);
    transpose_padded(plan.turned, b.pad, at(dy, b.query), dy.stride, b.T, plan.Dk);
    transpose_registers(p, b.pad, saved.data, saved.stride, b.T, b.S);
    small_product(ds, b.pad, by_rows(at(x.v, b.key), x.v.stride), plan.turned, b.pad, {b.S, b.pad, plan.Dk},
                  Real(1));
    plan.draw_factors(b);
    softmax_columns_backward(ds, p, plan.factors, plan.score_block(b));  // p becomes m p
    small_product(at(dx.v, b.key), dx.v.stride, by_rows(p, b.pad), at(dy, b.query), dy.stride, {b.S, plan.Dk, b.T},
                  Real(1));
    small_product(at(dx.q, b.query), dx.q.stride, by_columns(ds, b.pad), at(x.k, b.key), x.k.stride,
                  {b.T, plan.Dk, b.S}, plan.scale);
    small_product(at(dx.k, b.key), dx.k.stride, by_rows(ds, b.pad), at(x.q, b.query), x.q.stride,
                  {b.S, plan.Dk, b.T}, plan.scale);
  });
}

template AttentionForward<Cpu<float>> attention_forward;
template AttentionForward<Cpu<double>> attention_forward;
template AttentionBackward<Cpu<float>> attention_backward;
template AttentionBackward<Cpu<double>> attention_backward;

}  // namespace gradus
