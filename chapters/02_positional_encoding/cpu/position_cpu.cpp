#include "02_positional_encoding/position.hpp"

#include "02_positional_encoding/cpu/position_cpu.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus {

template <class Real, class Dev>
void position_forward(Cpu<Real>& dev, Out<Dev, 2> y, In<Dev, 2> x, const Segments<Dev>& sentences,
                      Ints<Dev, 1> first, In<Dev, 2> positions) {
  check_position<Dev>(y, x, sentences, first, positions);
  const std::size_t N = x.extent[0], D = x.extent[1];
  Scratch scope(dev);
  const View<std::int32_t, 1, Host> position = row_positions(dev, sentences, first);
  if (y.data != x.data) copy(dev, y, x);
  for (std::size_t n = 0; n < N; ++n) {
    if (position[n] < 0) continue;
    const Real* const place = positions.row(static_cast<std::size_t>(position[n]));
    Real* const out = y.row(n);
#pragma omp simd
    for (std::size_t d = 0; d < D; ++d) out[d] += place[d];
  }
}

template <class Real, class Dev>
void position_backward(Cpu<Real>& dev, Out<Dev, 2> dx, In<Dev, 2> dy) {
  check_shape("position: dx", dx, dy.extent);
  if (dx.data != dy.data) copy(dev, dx, dy);
}

template PositionForward<Cpu<float>> position_forward;
template PositionForward<Cpu<double>> position_forward;
template PositionBackward<Cpu<float>> position_backward;
template PositionBackward<Cpu<double>> position_backward;

}  // namespace gradus
