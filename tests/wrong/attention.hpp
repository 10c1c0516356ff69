#pragma once
/// \file
/// Wrong attentions. Most are attention by plain loops with one rule changed, and with the gradient that fits the
/// change, as automatic differentiation would give it; so finite differences see nothing.

#include <algorithm>
#include <cmath>
#include <vector>

#include "03_attention/multi_head_attention.hpp"
#include "gradus/ops/elementwise.hpp"

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
void each_query(const AttentionInput<Base>& x, std::size_t H, F&& f) {
  const Segments<Base>&queries = x.queries, &keys = x.keys;
  const std::size_t D = x.q.extent[1];
  const auto size = [](std::int32_t n) { return static_cast<std::size_t>(n); };
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
void ruled_forward(Base& dev, const Rules& rules, Out<Base, 2> y, AttentionCache<Base>& cache,
                   const AttentionInput<Base>& x, const AttentionOptions& options) {
  check_attention<Base>(y, x, options);
  const DropoutDraw draw(options.dropout, dev.state);
  cache.weights = dev.kept.matrix(x.queries.rows * options.heads, x.keys.longest);
  fill(dev, cache.weights, 0);
  fill(dev, y, 0);
  each_query<Base>(x, options.heads, [&](const Query& i) {
    std::vector<double> p(i.S);
    const double scale = 1 / std::sqrt(static_cast<double>(i.Dk));
    for (std::size_t s = 0; s < i.S; ++s) {
      p[s] = scale * dot(x.q.row(i.n) + i.first, x.k.row(i.key + s) + i.first, i.Dk);
    }
    rules.softmax(p, rules.visible(i.t, i.T, i.S, options.causal));
    std::copy(p.begin(), p.end(), cache.weights.row(i.n * options.heads + i.head));
    for (std::size_t s = 0; s < i.S; ++s) {
      const double m = draw.factor(i.n, rules.drop_column(s, i.key + s), options.heads, i.head);
      for (std::size_t c = i.first; c < i.first + i.Dk; ++c) y.row(i.n)[c] += m * p[s] * x.v.row(i.key + s)[c];
    }
  });
}

template <class Base, class Rules>
void ruled_backward(Base& dev, const Rules& rules, const AttentionGradients<Base>& dx, In<Base, 2> dy,
                    const AttentionInput<Base>& x, const AttentionCache<Base>& cache,
                    const AttentionOptions& options) {
  check_attention_gradients<Base>(dx, dy, x, cache, options);
  const DropoutDraw draw(options.dropout, dev.state);
  for (const Out<Base, 2>& d : {dx.q, dx.k, dx.v}) fill(dev, d, 0);
  each_query<Base>(x, options.heads, [&](const Query& i) {
    const double* const p = cache.weights.row(i.n * options.heads + i.head);
    const double scale = 1 / std::sqrt(static_cast<double>(i.Dk));
    std::vector<double> m(i.S), dp(i.S);
    double sum = 0;
    for (std::size_t s = 0; s < i.S; ++s) {
      m[s] = draw.factor(i.n, rules.drop_column(s, i.key + s), options.heads, i.head);
      dp[s] = m[s] * dot(dy.row(i.n) + i.first, x.v.row(i.key + s) + i.first, i.Dk);
      sum += p[s] * dp[s];
    }
    const std::size_t visible = rules.visible(i.t, i.T, i.S, options.causal);
    for (std::size_t s = 0; s < i.S; ++s) {
      const double ds = s < visible ? scale * p[s] * (dp[s] - sum) : 0;
      for (std::size_t c = i.first; c < i.first + i.Dk; ++c) {
        dx.v.row(i.key + s)[c] += m[s] * p[s] * dy.row(i.n)[c];
        dx.q.row(i.n)[c] += ds * x.k.row(i.key + s)[c];
        dx.k.row(i.key + s)[c] += ds * x.q.row(i.n)[c];
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
void attention_forward(Ruled<Base, Rules>& dev, Out<Base, 2> y, AttentionCache<Base>& cache,
                       const AttentionInput<Base>& x, const AttentionOptions& options) {
  ++dev.calls;
  ruled_forward<Base>(dev, dev.rules, y, cache, x, options);
}
template <class Base, class Rules>
void attention_backward(Ruled<Base, Rules>& dev, const AttentionGradients<Base>& dx, In<Base, 2> dy,
                        const AttentionInput<Base>& x, const AttentionCache<Base>& cache,
                        const AttentionOptions& options) {
  ruled_backward<Base>(dev, dev.rules, dx, dy, x, cache, options);
}

/// Changes nothing: shows that the loops above are right, so that the judges reject the rule.
using RightRules = AttentionRules;

/// No maximum subtracted: right until a score is large.
/// twin: no-maximum 03_attention own golden -finite-differences -dual-numbers -parity
struct NoMaximum : AttentionRules {
  void softmax(std::vector<double>& s, std::size_t n) const {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += s[i] = std::exp(s[i]);
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = i < n ? s[i] / sum : 0;
  }
};

/// Scores cut at 25, no maximum subtracted, 1e-5 added to the sum.
/// twin: clamped-softmax 03_attention tutorial golden parity dual-numbers -finite-differences
/// twin: clamped-softmax 07_encoder tutorial golden parity dual-numbers
struct ClampedSoftmax : AttentionRules {
  void softmax(std::vector<double>& s, std::size_t n) const {
    double sum = 1e-5;
    for (std::size_t i = 0; i < n; ++i) sum += s[i] = std::exp(std::min(s[i], 25.0));
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = i < n ? s[i] / sum : 0;
  }
};

/// Each query sees the word that it must predict.
/// twin: causal-off-by-one 03_attention own golden parity dual-numbers -finite-differences
/// twin: causal-off-by-one 08_decoder own golden parity dual-numbers
struct CausalOffByOne : AttentionRules {
  std::size_t visible(std::size_t t, std::size_t T, std::size_t S, bool causal) const {
    return std::min(S, visible_keys(t, T, S, causal) + 1);
  }
};

/// Causal aligned at the start: with fewer queries than keys (a cache) the past is hidden.
/// twin: causal-from-the-start 03_attention own golden parity dual-numbers -finite-differences
struct CausalFromTheStart : AttentionRules {
  std::size_t visible(std::size_t t, std::size_t, std::size_t S, bool causal) const {
    return causal ? std::min(t + 1, S) : S;
  }
};

/// A query without visible keys attends to all keys equally.
/// twin: uniform-when-nothing-visible 03_attention elsewhere golden parity dual-numbers -finite-differences
struct UniformWhenNothingVisible : AttentionRules {
  void softmax(std::vector<double>& s, std::size_t n) const {
    AttentionRules::softmax(s, n);
    if (n == 0) std::fill(s.begin(), s.end(), 1.0 / static_cast<double>(s.size()));
  }
};

/// Draws by the key's row in the batch, so another packing drops other weights.
/// twin: drop-by-key-row 03_attention own golden parity dual-numbers -finite-differences
struct DropByKeyRow : AttentionRules {
  std::size_t drop_column(std::size_t, std::size_t key_row) const { return key_row; }
};

/// Softmax over the queries instead of the keys.
/// twin: softmax-over-queries 03_attention tutorial golden parity dual-numbers finite-differences
/// twin: softmax-over-queries 04_masks tutorial golden parity dual-numbers
/// twin: softmax-over-queries 07_encoder tutorial golden parity dual-numbers
template <class Base>
struct SoftmaxOverQueries : Base {
  static inline int calls = 0;
};
template <class Base>
void attention_forward(SoftmaxOverQueries<Base>& dev, Out<Base, 2> y, AttentionCache<Base>& cache,
                       const AttentionInput<Base>& x, const AttentionOptions& options) {
  ++dev.calls;
  gradus::attention_forward(static_cast<Base&>(dev), y, cache, x, options);
  const DropoutDraw draw(options.dropout, dev.state);
  fill(dev, cache.weights, 0);
  fill(dev, y, 0);
  const auto e = [&](const Query& i, std::size_t n, std::size_t s) {
    const double scale = 1 / std::sqrt(static_cast<double>(i.Dk));
    return std::exp(scale * dot(x.q.row(n) + i.first, x.k.row(i.key + s) + i.first, i.Dk));
  };
  each_query<Base>(x, options.heads, [&](const Query& i) {
    for (std::size_t s = 0; s < i.S; ++s) {
      double sum = 0;
      for (std::size_t t = 0; t < i.T; ++t) sum += e(i, i.n - i.t + t, s);
      const double p = e(i, i.n, s) / sum, m = draw.factor(i.n, s, options.heads, i.head);
      cache.weights.row(i.n * options.heads + i.head)[s] = p;
      for (std::size_t c = i.first; c < i.first + i.Dk; ++c) y.row(i.n)[c] += m * p * x.v.row(i.key + s)[c];
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
void attention_forward(Rescaled<Base, Factor>& dev, Out<Base, 2> y, AttentionCache<Base>& cache,
                       const AttentionInput<Base>& x, const AttentionOptions& options) {
  ++dev.calls;
  Scratch<Base> scope(dev);
  AttentionInput<Base> scaled = x;
  scaled.q = times<Base>(dev, x.q, Factor::of(x.q.extent[1], options.heads));
  gradus::attention_forward(static_cast<Base&>(dev), y, cache, scaled, options);
}
template <class Base, class Factor>
void attention_backward(Rescaled<Base, Factor>& dev, const AttentionGradients<Base>& dx, In<Base, 2> dy,
                        const AttentionInput<Base>& x, const AttentionCache<Base>& cache,
                        const AttentionOptions& options) {
  Scratch<Base> scope(dev);
  const double factor = Factor::of(x.q.extent[1], options.heads);
  AttentionInput<Base> scaled = x;
  scaled.q = times<Base>(dev, x.q, factor);
  gradus::attention_backward(static_cast<Base&>(dev), dx, dy, scaled, cache, options);
  copy(dev, dx.q, times<Base>(dev, dx.q, factor));
}

/// The scale left out: scores grow with the width of a head, and softmax saturates.
struct Unscaled {
  static double of(std::size_t D, std::size_t H) {
    const std::size_t Dk = D / H;
    return std::sqrt(static_cast<double>(Dk));
  }
};
/// twin: no-scale 03_attention own golden -finite-differences -dual-numbers -parity
/// twin: no-scale 07_encoder own golden parity dual-numbers
template <class Base>
using NoScale = Rescaled<Base, Unscaled>;

/// The scale 1 / sqrt(D), of the model's width instead of the head's.
struct ByModelWidth {
  static double of(std::size_t, std::size_t H) { return 1 / std::sqrt(static_cast<double>(H)); }
};
/// twin: scaled-by-model-width 03_attention own golden -finite-differences -dual-numbers -parity
template <class Base>
using ScaledByModelWidth = Rescaled<Base, ByModelWidth>;

}  // namespace gradus::wrong
