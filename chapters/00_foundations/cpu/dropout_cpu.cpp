#include "gradus/random/dropout_cpu.hpp"
#include "00_foundations/dropout.hpp"

#include <algorithm>

namespace gradus {
namespace {

template <class Real>
void drop(Cpu<Real>& dev, View<Real, 2, Host> y, View<const Real, 2, Host> x, const Dropout& dropout) {
  check_dropout<Cpu<Real>>(y, x, dropout);
  const std::size_t N = x.extent[0], D = x.extent[1];  // clang 14 rejects structured bindings in a simd loop
  const DropoutDraw draw(dropout, dev.state);
  Scratch scope(dev);
  Real* const m = dev.scratch.vector(dropout_row_room(D)).data;
  std::fill_n(m, D, Real(1));  // at rate 0 all factors stay 1
  for (std::size_t n = 0; n < N; ++n) {
    if (draw.active()) dropout_row(m, D, draw, n);
    const Real* const in = x.row(n);
    Real* const out = y.row(n);
#pragma omp simd
    for (std::size_t d = 0; d < D; ++d) out[d] = m[d] * in[d];
  }
}

}  // namespace

template <class Real, class Dev>
void dropout_forward(Cpu<Real>& dev, Out<Dev, 2> y, In<Dev, 2> x, const Dropout& dropout) {
  drop(dev, y, x, dropout);
}

template <class Real, class Dev>
void dropout_backward(Cpu<Real>& dev, Out<Dev, 2> dx, In<Dev, 2> dy, const Dropout& dropout) {
  drop(dev, dx, dy, dropout);
}

template DropoutForward<Cpu<float>> dropout_forward;
template DropoutForward<Cpu<double>> dropout_forward;
template DropoutBackward<Cpu<float>> dropout_backward;
template DropoutBackward<Cpu<double>> dropout_backward;

}  // namespace gradus
