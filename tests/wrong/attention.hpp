#pragma once
/// \file
/// Wrong attentions. Most are attention by plain loops with one rule changed, and with the gradient that fits the
/// change, as automatic differentiation would give it; so finite differences see nothing.

#include <algorithm>
#include <cmath>
#include <vector>

#include "03_attention/multi_head_attention.hpp"

namespace gradus::wrong {

/// The right rules; each twin overrides one.
struct AttentionRules {
  std::size_t visible(std::size_t t, std::size_t T, std::size_t S, bool causal) const {
    return visible_keys(t, T, S, causal);
  }
  /// scores of one query -> its weights; the first `n` of S keys are visible
  void softmax(std::vector<double>& s, std::size_t n) const {
    const double largest = n == 0 ? 0 : *std::max_element(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(n));
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += s[i] = std::exp(s[i] - largest);
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = i < n ? s[i] / sum : 0;
  }
  std::size_t drop_column(std::size_t position, std::size_t key_row) const { return (void)key_row, position; }
};

/// One query of one head: its rows and columns.
struct Query {
  std::size_t n, key, T, S, t, head, first, Dk;
};
template <class Base, class F>
void each_query(const Segments<Base>& queries, const Segments<Base>& keys, std::size_t D, std::size_t H, F&& f) {
  const auto size = [](std::int32_t x) { return static_cast<std::size_t>(x); };
  for (std::size_t i = 0; i < queries.sentences(); ++i) {
    const std::size_t T = size(queries.length[i]), S = size(keys.length[i]);
    for (std::size_t h = 0; h < H; ++h) {
      for (std::size_t t = 0; t < T; ++t) {
        f(Query{size(queries.begin[i]) + t, size(keys.begin[i]), T, S, t, h, h * D / H, D / H});
      }
    }
  }
}

inline double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

template <class Base, class Rules>
void ruled_forward(Base& dev, const Rules& rules, Out<Base, 2> y, AttentionCache<Base>& cache, In<Base, 2> q,
                   In<Base, 2> k, In<Base, 2> v, const Segments<Base>& queries, const Segments<Base>& keys,
                   const AttentionOptions& options) {
  check_attention<Base>(y, q, k, v, queries, keys, options);
  const DropoutDraw draw(options.dropout, dev.state);
  cache.weights = dev.kept.matrix(queries.rows * options.heads, keys.longest);
  fill(dev, cache.weights, 0);
  fill(dev, y, 0);
  each_query<Base>(queries, keys, q.extent[1], options.heads, [&](const Query& x) {
    std::vector<double> p(x.S);
    const double scale = 1 / std::sqrt(static_cast<double>(x.Dk));
    for (std::size_t s = 0; s < x.S; ++s) {
      p[s] = scale * dot(q.row(x.n) + x.first, k.row(x.key + s) + x.first, x.Dk);
    }
    rules.softmax(p, rules.visible(x.t, x.T, x.S, options.causal));
    std::copy(p.begin(), p.end(), cache.weights.row(x.n * options.heads + x.head));
    for (std::size_t s = 0; s < x.S; ++s) {
      const double m = draw.factor(x.n, rules.drop_column(s, x.key + s), options.heads, x.head);
      for (std::size_t c = x.first; c < x.first + x.Dk; ++c) y.row(x.n)[c] += m * p[s] * v.row(x.key + s)[c];
    }
  });
}

template <class Base, class Rules>
void ruled_backward(Base& dev, const Rules& rules, Out<Base, 2> dq, Out<Base, 2> dk, Out<Base, 2> dv,
                    In<Base, 2> dy, In<Base, 2> q, In<Base, 2> k, In<Base, 2> v, const Segments<Base>& queries,
                    const Segments<Base>& keys, const AttentionCache<Base>& cache,
                    const AttentionOptions& options) {
  check_attention_gradients<Base>(dq, dk, dv, dy, q, k, v, queries, keys, cache, options);
  const DropoutDraw draw(options.dropout, dev.state);
  for (const Out<Base, 2>& d : {dq, dk, dv}) fill(dev, d, 0);
  each_query<Base>(queries, keys, q.extent[1], options.heads, [&](const Query& x) {
    const double* const p = cache.weights.row(x.n * options.heads + x.head);
    const double scale = 1 / std::sqrt(static_cast<double>(x.Dk));
    std::vector<double> m(x.S), dp(x.S);
    double sum = 0;
    for (std::size_t s = 0; s < x.S; ++s) {
      m[s] = draw.factor(x.n, rules.drop_column(s, x.key + s), options.heads, x.head);
      dp[s] = m[s] * dot(dy.row(x.n) + x.first, v.row(x.key + s) + x.first, x.Dk);
      sum += p[s] * dp[s];
    }
    const std::size_t visible = rules.visible(x.t, x.T, x.S, options.causal);
    for (std::size_t s = 0; s < x.S; ++s) {
      const double ds = s < visible ? scale * p[s] * (dp[s] - sum) : 0;
      for (std::size_t c = x.first; c < x.first + x.Dk; ++c) {
        dv.row(x.key + s)[c] += m[s] * p[s] * dy.row(x.n)[c];
        dq.row(x.n)[c] += ds * k.row(x.key + s)[c];
        dk.row(x.key + s)[c] += ds * q.row(x.n)[c];
      }
    }
  });
}

/// A device whose attention obeys `Rules`.
template <class Base, class Rules>
struct Ruled : Base {
  static inline int calls = 0;
  Rules rules;
};
template <class Base, class Rules>
void attention_forward(Ruled<Base, Rules>& dev, Out<Base, 2> y, AttentionCache<Base>& cache, In<Base, 2> q,
                       In<Base, 2> k, In<Base, 2> v, const Segments<Base>& queries, const Segments<Base>& keys,
                       const AttentionOptions& options) {
  ++dev.calls;
  ruled_forward<Base>(dev, dev.rules, y, cache, q, k, v, queries, keys, options);
}
template <class Base, class Rules>
void attention_backward(Ruled<Base, Rules>& dev, Out<Base, 2> dq, Out<Base, 2> dk, Out<Base, 2> dv, In<Base, 2> dy,
                        In<Base, 2> q, In<Base, 2> k, In<Base, 2> v, const Segments<Base>& queries,
                        const Segments<Base>& keys, const AttentionCache<Base>& cache,
                        const AttentionOptions& options) {
  ruled_backward<Base>(dev, dev.rules, dq, dk, dv, dy, q, k, v, queries, keys, cache, options);
}

/// Changes nothing: shows that the loops above are right, so that the judges reject the rule.
using RightRules = AttentionRules;

/// No maximum subtracted: right until a score is large.
struct NoMaximum : AttentionRules {
  void softmax(std::vector<double>& s, std::size_t n) const {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += s[i] = std::exp(s[i]);
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = i < n ? s[i] / sum : 0;
  }
};

/// Scores cut at 25, no maximum subtracted, 1e-5 added to the sum.
struct ClampedSoftmax : AttentionRules {
  void softmax(std::vector<double>& s, std::size_t n) const {
    double sum = 1e-5;
    for (std::size_t i = 0; i < n; ++i) sum += s[i] = std::exp(std::min(s[i], 25.0));
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = i < n ? s[i] / sum : 0;
  }
};

/// Each query sees the word that it must predict.
struct CausalOffByOne : AttentionRules {
  std::size_t visible(std::size_t t, std::size_t T, std::size_t S, bool causal) const {
    return std::min(S, visible_keys(t, T, S, causal) + 1);
  }
};

/// Causal aligned at the start: with fewer queries than keys (a cache) the past is hidden.
struct CausalFromTheStart : AttentionRules {
  std::size_t visible(std::size_t t, std::size_t, std::size_t S, bool causal) const {
    return causal ? std::min(t + 1, S) : S;
  }
};

/// A query without visible keys attends to all keys equally.
struct UniformWhenNothingVisible : AttentionRules {
  void softmax(std::vector<double>& s, std::size_t n) const {
    AttentionRules::softmax(s, n);
    if (n == 0) std::fill(s.begin(), s.end(), 1.0 / static_cast<double>(s.size()));
  }
};

/// Draws by the key's row in the batch, so another packing drops other weights.
struct DropByKeyRow : AttentionRules {
  std::size_t drop_column(std::size_t, std::size_t key_row) const { return key_row; }
};

/// Softmax over the queries instead of the keys.
template <class Base>
struct SoftmaxOverQueries : Base {
  static inline int calls = 0;
};
template <class Base>
void attention_forward(SoftmaxOverQueries<Base>& dev, Out<Base, 2> y, AttentionCache<Base>& cache, In<Base, 2> q,
                       In<Base, 2> k, In<Base, 2> v, const Segments<Base>& queries, const Segments<Base>& keys,
                       const AttentionOptions& options) {
  ++dev.calls;
  AttentionCache<Base> right;
  gradus::attention_forward(static_cast<Base&>(dev), y, right, q, k, v, queries, keys, options);
  cache.weights = dev.kept.matrix(right.weights.extent[0], right.weights.extent[1]);
  const DropoutDraw draw(options.dropout, dev.state);
  fill(dev, cache.weights, 0);
  fill(dev, y, 0);
  const auto e = [&](const Query& x, std::size_t n, std::size_t s) {
    const double scale = 1 / std::sqrt(static_cast<double>(x.Dk));
    return std::exp(scale * dot(q.row(n) + x.first, k.row(x.key + s) + x.first, x.Dk));
  };
  each_query<Base>(queries, keys, q.extent[1], options.heads, [&](const Query& x) {
    for (std::size_t s = 0; s < x.S; ++s) {
      double sum = 0;
      for (std::size_t t = 0; t < x.T; ++t) sum += e(x, x.n - x.t + t, s);
      const double p = e(x, x.n, s) / sum, m = draw.factor(x.n, s, options.heads, x.head);
      cache.weights.row(x.n * options.heads + x.head)[s] = p;
      for (std::size_t c = x.first; c < x.first + x.Dk; ++c) y.row(x.n)[c] += m * p * v.row(x.key + s)[c];
    }
  });
}

/// Scores times a wrong constant, in forward and backward; `Factor` gives it.
template <class Base, class Factor>
struct Rescaled : Base {
  static inline int calls = 0;
};
template <class Base>
Out<Base, 2> times(Base& dev, In<Base, 2> x, double factor) {
  const Out<Base, 2> y = dev.scratch.matrix(x.extent[0], x.extent[1]);
  for (std::size_t i = 0; i < y.extent[0]; ++i) {
    for (std::size_t j = 0; j < y.extent[1]; ++j) y.row(i)[j] = x.row(i)[j] * typename Base::Real(factor);
  }
  return y;
}
template <class Base, class Factor>
void attention_forward(Rescaled<Base, Factor>& dev, Out<Base, 2> y, AttentionCache<Base>& cache, In<Base, 2> q,
                       In<Base, 2> k, In<Base, 2> v, const Segments<Base>& queries, const Segments<Base>& keys,
                       const AttentionOptions& options) {
  ++dev.calls;
  Scratch<Base> scope(dev);
  const auto scaled = times<Base>(dev, q, Factor::of(q.extent[1], options.heads));
  gradus::attention_forward(static_cast<Base&>(dev), y, cache, scaled, k, v, queries, keys, options);
}
template <class Base, class Factor>
void attention_backward(Rescaled<Base, Factor>& dev, Out<Base, 2> dq, Out<Base, 2> dk, Out<Base, 2> dv,
                        In<Base, 2> dy, In<Base, 2> q, In<Base, 2> k, In<Base, 2> v, const Segments<Base>& queries,
                        const Segments<Base>& keys, const AttentionCache<Base>& cache,
                        const AttentionOptions& options) {
  Scratch<Base> scope(dev);
  const double factor = Factor::of(q.extent[1], options.heads);
  const auto scaled = times<Base>(dev, q, factor);
  gradus::attention_backward(static_cast<Base&>(dev), dq, dk, dv, dy, scaled, k, v, queries, keys, cache, options);
  copy(dev, dq, times<Base>(dev, dq, factor));
}

/// The scale left out: scores grow with the width of a head, and softmax saturates.
struct Unscaled {
  static double of(std::size_t D, std::size_t H) {
    const std::size_t Dk = D / H;
    return std::sqrt(static_cast<double>(Dk));
  }
};
template <class Base>
using NoScale = Rescaled<Base, Unscaled>;

/// The scale 1 / sqrt(D), of the model's width instead of the head's.
struct ByModelWidth {
  static double of(std::size_t, std::size_t H) { return 1 / std::sqrt(static_cast<double>(H)); }
};
template <class Base>
using ScaledByModelWidth = Rescaled<Base, ByModelWidth>;

/// Cross-attention under the target's causal mask: late source words are hidden from early target words.
template <class Base>
struct CausalCross : Base {
  static inline int calls = 0;
};
template <class Base>
void cross_attention_forward(CausalCross<Base>& dev, Out<Base, 2> y, CrossAttentionCache<Base>& cache,
                             In<Base, 2> x, In<Base, 2> memory, const Segments<Base>& queries,
                             const Segments<Base>& keys, const AttentionParams<Base>& p, AttentionOptions options) {
  ++dev.calls;
  options.causal = true;
  gradus::cross_attention_forward(static_cast<Base&>(dev), y, cache, x, memory, queries, keys, p, options);
}

/// Cross-attention that reads keys and values from its own stream and never from the memory.
template <class Base>
struct CrossIsSelf : Base {
  static inline int calls = 0;
};
template <class Base>
void cross_attention_forward(CrossIsSelf<Base>& dev, Out<Base, 2> y, CrossAttentionCache<Base>& cache,
                             In<Base, 2> x, In<Base, 2>, const Segments<Base>& queries, const Segments<Base>&,
                             const AttentionParams<Base>& p, const AttentionOptions& options) {
  ++dev.calls;
  gradus::cross_attention_forward(static_cast<Base&>(dev), y, cache, x, x, queries, queries, p, options);
}
template <class Base>
void cross_attention_backward(CrossIsSelf<Base>& dev, Out<Base, 2> dx, Acc<Base, 2>,
                              const AttentionParams<Base>& dp, In<Base, 2> dy, In<Base, 2> x, In<Base, 2>,
                              const Segments<Base>& queries, const Segments<Base>&,
                              const CrossAttentionCache<Base>& cache, const AttentionParams<Base>& p,
                              const AttentionOptions& options) {
  Scratch<Base> scope(dev);
  const Out<Base, 2> second = dev.scratch.matrix(x.extent[0], x.extent[1]);  // x has two readers: the gradients add
  fill(dev, second, 0);
  gradus::cross_attention_backward(static_cast<Base&>(dev), dx, second, dp, dy, x, x, queries, queries, cache, p,
                                   options);
  add(dev, dx, second);
}

}  // namespace gradus::wrong
