#pragma once
/// \file
/// Wrong scans of the SSRU: plain loops with one rule changed, and with the gradient that fits the change, as automatic
/// differentiation would give it. Only the last twin's gradient does not fit.

#include <cmath>
#include <vector>

#include "12_ssru/ssru.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// The right rules; each twin overrides one.
struct SsruRules {
  static constexpr bool gate_keeps = true;     ///< the gate is the share of the state, not that of the candidate
  static constexpr bool resets = true;         ///< each sentence begins with its own state
  static constexpr bool is_late = false;       ///< the output is that of the state before the word
  static constexpr bool carries_relu = false;  ///< the relu is applied to the state that is carried on
  static constexpr bool sends_through_time = true;  ///< gradients pass from a word to the words before it
};

/// twin: gate-swapped 12_ssru own golden parity dual-numbers -finite-differences
struct GateSwapped : SsruRules {
  static constexpr bool gate_keeps = false;
};
/// twin: state-not-reset 08_decoder own golden parity dual-numbers
/// twin: state-not-reset 12_ssru own golden parity dual-numbers -finite-differences
struct StateNotReset : SsruRules {
  static constexpr bool resets = false;
};
/// twin: one-step-late 12_ssru own golden parity dual-numbers -finite-differences
struct OneStepLate : SsruRules {
  static constexpr bool is_late = true;
};
/// twin: relu-carried 12_ssru own golden parity dual-numbers -finite-differences
struct ReluCarried : SsruRules {
  static constexpr bool carries_relu = true;
};
/// twin: through-time-forgotten 08_decoder own finite-differences dual-numbers golden parity
/// twin: through-time-forgotten 12_ssru own finite-differences dual-numbers golden parity
struct ThroughTimeForgotten : SsruRules {
  static constexpr bool sends_through_time = false;
};

/// The words of one column, in the order of the rows.
struct Column {
  std::vector<double> f, before,
      state;  ///< the share of the state; the state before the word; after it, without relu
};

/// Computes column d; calls after(t) behind each row and end(i, state) behind each sentence.
template <class Rules, class Base, class F, class End>
Column column_of(const SsruInput<Base>& x, std::size_t d, F&& after, End&& end) {
  const std::size_t N = x.u.extent[0];
  Column c{std::vector<double>(N), std::vector<double>(N), std::vector<double>(N)};
  double state = 0;
  for (std::size_t i = 0; i < x.segments.sentences(); ++i) {
    if (Rules::resets || i == 0) state = x.first ? x.first.row(i)[d] : 0;
    const auto begin = static_cast<std::size_t>(x.segments.begin[i]);
    for (std::size_t t = begin; t < begin + static_cast<std::size_t>(x.segments.length[i]); ++t) {
      const double gate = 1 / (1 + std::exp(-x.a.row(t)[d]));
      c.f[t] = Rules::gate_keeps ? gate : 1 - gate;
      c.before[t] = state;
      c.state[t] = state = c.f[t] * state + (1 - c.f[t]) * x.u.row(t)[d];
      if (Rules::carries_relu && state < 0) state = 0;
      after(t, c, state);
    }
    end(i, state);
  }
  return c;
}

template <class Base, class Rules>
struct RuledSsru : Base {
  static inline int calls = 0;
};

template <class Base, class Rules>
void ssru_forward(RuledSsru<Base, Rules>& dev, Out<Base, 2> h, Out<Base, 2> last, SsruCache<Base>& cache,
                  const SsruInput<Base>& x) {
  ++dev.calls;
  check_ssru<Base>(h, last, x);
  cache.c = dev.kept.matrix(x.u.extent[0], x.u.extent[1]);
  fill(dev, h, 0);
  for (std::size_t d = 0; d < x.u.extent[1]; ++d) {
    const auto after = [&](std::size_t t, const Column& c, double state) {
      const double seen = Rules::is_late ? c.before[t] : c.state[t];
      h.row(t)[d] = seen > 0 ? seen : 0;
      cache.c.row(t)[d] = state;
    };
    column_of<Rules, Base>(x, d, after, [&](std::size_t i, double state) {
      if (last) last.row(i)[d] = state;
    });
  }
}

template <class Base, class Rules>
void ssru_backward(RuledSsru<Base, Rules>& dev, const SsruGradients<Base>& dx, In<Base, 2> dh, In<Base, 2> dlast,
                   const SsruInput<Base>& x, const SsruCache<Base>& cache) {
  check_ssru_backward<Base>(dx, dh, dlast, x, cache);
  fill(dev, dx.u, 0);
  fill(dev, dx.a, 0);
  for (std::size_t d = 0; d < x.u.extent[1]; ++d) {
    const Column c = column_of<Rules, Base>(
        x, d, [](auto&&...) {}, [](auto&&...) {});
    double g = 0;  // the gradient of the state that is carried on
    for (std::size_t i = x.segments.sentences(); i-- > 0;) {
      g = (Rules::resets ? 0 : g) + (dlast ? dlast.row(i)[d] : 0);
      const auto begin = static_cast<std::size_t>(x.segments.begin[i]);
      for (std::size_t t = begin + static_cast<std::size_t>(x.segments.length[i]); t-- > begin;) {
        const double from_h = dh.row(t)[d], positive = c.state[t] > 0 ? 1 : 0;
        const double dc = (Rules::carries_relu ? positive : 1) * g + (Rules::is_late ? 0 : positive * from_h);
        dx.u.row(t)[d] = (1 - c.f[t]) * dc;
        dx.a.row(t)[d] = (Rules::gate_keeps ? 1 : -1) * c.f[t] * (1 - c.f[t]) * (c.before[t] - x.u.row(t)[d]) * dc;
        g = Rules::sends_through_time || t == begin ? c.f[t] * dc : 0;
        if (Rules::is_late && c.before[t] > 0) g += from_h;
      }
      if (dx.first) dx.first.row(i)[d] = Rules::resets || i == 0 ? g : 0;
    }
  }
}

}  // namespace gradus::wrong
