#include "12_ssru/ssru.hpp"

#include <algorithm>

#include "03_attention/cpu/spare_rows_cpu.hpp"
#include "gradus/ops/cpu/exp_cpu.hpp"

namespace gradus {
namespace {

template <class Real>
Real sigmoid(Real a) {
  return 1 / (1 + fast_exp(-a));
}

/// h and c (D) of one row, from its u and a and from the state before it. The columns are independent.
template <class Real>
void step(Real* h, Real* c, const Real* before, const Real* u, const Real* a, std::size_t D) {
#pragma omp simd
  for (std::size_t d = 0; d < D; ++d) {
    const Real f = sigmoid(a[d]);                       // eq:12.2
    const Real state = f * before[d] + (1 - f) * u[d];  // eq:12.3
    c[d] = state;
    h[d] = state < 0 ? Real(0) : state;  // eq:12.4; NaN stays
  }
}

/// du and da (D) of one row. g is the gradient of c through the rows behind this one, and becomes that for the row before it.
template <class Real>
void step_back(Real* du, Real* da, Real* g, const Real* dh, const Real* c, const Real* before, const Real* u,
               const Real* a, std::size_t D) {
#pragma omp simd
  for (std::size_t d = 0; d < D; ++d) {
    const Real f = sigmoid(a[d]), dc = (c[d] > 0 ? dh[d] : Real(0)) + g[d];  // eq:12.5
    const Real to_u = (1 - f) * dc;                                          // eq:12.6
    du[d] = to_u;
    da[d] = f * (before[d] - u[d]) * to_u;  // eq:12.7
    g[d] = f * dc;                          // eq:12.8
  }
}

/// A row (D) for each sentence, or one row of zeros for all of them.
template <class Real>
struct RowsOrZeros {
  View<const Real, 2, Host> given;
  const Real* zeros = nullptr;

  RowsOrZeros(Cpu<Real>& dev, View<const Real, 2, Host> rows, std::size_t D) : given(rows) {
    if (given) return;
    Real* const row = dev.scratch.vector(D).data;
    std::fill_n(row, D, Real(0));
    zeros = row;
  }
  const Real* row(std::size_t i) const { return given ? given.row(i) : zeros; }
};

}  // namespace

template <class Real, class Dev>
void ssru_forward(Cpu<Real>& dev, Out<Dev, 2> h, Out<Dev, 2> last, SsruCache<Dev>& cache, const SsruInput<Dev>& x) {
  check_ssru<Dev>(h, last, x);
  check_segments("sentences", x.segments, "ssru");
  const std::size_t D = x.u.extent[1];
  cache.c = dev.kept.matrix(x.u.extent[0], D);
  clear_spare_rows(dev, h, x.segments);
  Scratch scope(dev);
  const RowsOrZeros<Real> first(dev, x.first, D);
  for (std::size_t i = 0; i < x.segments.sentences(); ++i) {
    const Real* state = first.row(i);
    const auto begin = static_cast<std::size_t>(x.segments.begin[i]);
    for (std::size_t t = begin; t < begin + static_cast<std::size_t>(x.segments.length[i]); ++t) {
      step(h.row(t), cache.c.row(t), state, x.u.row(t), x.a.row(t), D);
      state = cache.c.row(t);
    }
    if (last && last.row(i) != state) std::copy_n(state, D, last.row(i));  // last may be first
  }
}

template <class Real, class Dev>
void ssru_backward(Cpu<Real>& dev, const SsruGradients<Dev>& dx, In<Dev, 2> dh, In<Dev, 2> dlast,
                   const SsruInput<Dev>& x, const SsruCache<Dev>& cache) {
  check_ssru_backward<Dev>(dx, dh, dlast, x, cache);
  check_segments("sentences", x.segments, "ssru");
  const std::size_t D = x.u.extent[1];
  clear_spare_rows(dev, dx.u, x.segments);
  clear_spare_rows(dev, dx.a, x.segments);
  Scratch scope(dev);
  const RowsOrZeros<Real> first(dev, x.first, D), behind(dev, dlast, D);
  Real* const g = dev.scratch.vector(D).data;
  for (std::size_t i = 0; i < x.segments.sentences(); ++i) {
    std::copy_n(behind.row(i), D, g);
    const auto begin = static_cast<std::size_t>(x.segments.begin[i]);
    for (std::size_t t = begin + static_cast<std::size_t>(x.segments.length[i]); t-- > begin;) {
      const Real* const before = t > begin ? cache.c.row(t - 1) : first.row(i);
      step_back(dx.u.row(t), dx.a.row(t), g, dh.row(t), cache.c.row(t), before, x.u.row(t), x.a.row(t), D);
    }
    if (dx.first) std::copy_n(g, D, dx.first.row(i));
  }
}

template SsruForward<Cpu<float>> ssru_forward;
template SsruForward<Cpu<double>> ssru_forward;
template SsruBackward<Cpu<float>> ssru_backward;
template SsruBackward<Cpu<double>> ssru_backward;

}  // namespace gradus
