#include "06_feed_forward/cpu/activation_cpu.hpp"
#include "06_feed_forward/linear_activation.hpp"
#include "gradus/ops/gemm.hpp"
#include "gradus/random/dropout_cpu.hpp"

#include <algorithm>

namespace gradus {
namespace {

/// A row of zeros for an absent bias, or of ones for the mask without dropout.
template <class Real>
Real* constant_row(Cpu<Real>& dev, std::size_t n, Real value) {
  Real* const row = dev.scratch.vector(dropout_row_room(n)).data;
  std::fill_n(row, n, value);
  return row;
}

}  // namespace

template <class Real, class Dev>
void linear_activation_forward(Cpu<Real>& dev, Out<Dev, 2> y, LinearActivationCache<Dev>& cache, In<Dev, 2> x,
                               const LinearParams<Dev>& p, const LinearActivationOptions& options) {
  check_linear<Dev>(y, x, p);
  check_rate(options.dropout);
  const std::size_t N = y.extent[0], F = y.extent[1];
  cache.z = needs_input(options.activation) ? dev.kept.matrix(N, F) : y;  // relu's slope can be seen in y
  gemm(dev, cache.z, x, p.w);

  const DropoutDraw draw(options.dropout, dev.state);
  Scratch scope(dev);
  Real* const m = constant_row(dev, F, Real(1));
  const Real* const b = p.b ? p.b.data : constant_row(dev, F, Real(0));
  with_activation(options.activation, [&](auto act) {
    for (std::size_t n = 0; n < N; ++n) {
      if (draw.active()) dropout_row(m, F, draw, n);
      Real *const z = cache.z.row(n), *const out = y.row(n);
#pragma omp simd
      for (std::size_t j = 0; j < F; ++j) {
        const Real complete = z[j] + b[j];
        if constexpr (act.needs_input) z[j] = complete;
        out[j] = m[j] * act.value(complete);  // eq:6.4
      }
    }
  });
}

template <class Real, class Dev>
void linear_activation_backward(Cpu<Real>& dev, Out<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy,
                                In<Dev, 2> x, const LinearActivationCache<Dev>& cache, const LinearParams<Dev>& p,
                                const LinearActivationOptions& options) {
  check_linear_activation_backward<Dev>(dx, dp, dy, x, cache, p, options);
  const std::size_t N = dy.extent[0], F = dy.extent[1];
  const DropoutDraw draw(options.dropout, dev.state);
  Scratch scope(dev);
  const Out<Dev, 2> dz = dev.scratch.matrix(N, F);  // (N, F)
  // With relu this row serves as it is: where a unit was dropped, y is 0, and so is the slope.
  Real* const m = constant_row(dev, F, static_cast<Real>(draw.kept_factor));
  Real* const db = dp.b ? dp.b.data : constant_row(dev, F, Real(0));  // without a bias the result is discarded
  with_activation(options.activation, [&](auto act) {
    for (std::size_t n = 0; n < N; ++n) {
      if (draw.active() && act.needs_input) dropout_row(m, F, draw, n);
      const Real *const upstream = dy.row(n), *const z = cache.z.row(n);
      Real* const out = dz.row(n);
#pragma omp simd
      for (std::size_t j = 0; j < F; ++j) {
        out[j] = act.slope(z[j]) * (m[j] * upstream[j]);  // eq:6.7
        db[j] += out[j];
      }
    }
  });
  if (dx) gemm(dev, dx, dz, transposed(p.w));
  gemm_add(dev, dp.w, transposed(x), dz);
}

template LinearActivationForward<Cpu<float>> linear_activation_forward;
template LinearActivationForward<Cpu<double>> linear_activation_forward;
template LinearActivationBackward<Cpu<float>> linear_activation_backward;
template LinearActivationBackward<Cpu<double>> linear_activation_backward;

}  // namespace gradus
