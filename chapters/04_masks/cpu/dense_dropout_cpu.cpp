#include "04_masks/dense.hpp"
#include "04_masks/dense_dropout.hpp"
#include "gradus/random/dropout_cpu.hpp"

namespace gradus {
namespace {

/// Draws the factors of all positions of a row. Each key then takes the factor of its position.
template <class Real>
void drop(Cpu<Real>& dev, View<Real, 4, Host> y, View<const Real, 4, Host> x, const BasicPacking<Host>& packing,
          const Dropout& dropout) {
  check_dense_dropout<Cpu<Real>>(y, x, packing, dropout);
  const auto [B, H, T, S] = x.extent;
  const DropoutDraw draw(dropout, dev.state);
  Scratch scope(dev);
  Real* const m = dev.scratch.vector(dropout_row_room(S)).data;
  for (std::size_t row = 0; row < B * H * T; ++row) {
    const std::size_t b = row / (H * T), h = row / T % H;
    const std::int32_t query = packing.query_row.row(b)[row % T], *const position = packing.key_position.row(b);
    if (query >= 0) dropout_row(m, S, draw, static_cast<std::size_t>(query), H, h);
    for (std::size_t s = 0; s < S; ++s) {
      const Real factor = query >= 0 && position[s] >= 0 ? m[position[s]] : Real(1);
      y.row(row)[s] = factor * x.row(row)[s];
    }
  }
}

}  // namespace

template <class Real, class Dev>
void dense_dropout_forward(Cpu<Real>& dev, Out<Dev, 4> y, In<Dev, 4> x, const Packing<Dev>& packing,
                           const Dropout& dropout) {
  drop<Real>(dev, y, x, packing, dropout);
}
template <class Real, class Dev>
void dense_dropout_backward(Cpu<Real>& dev, Out<Dev, 4> dx, In<Dev, 4> dy, const Packing<Dev>& packing,
                            const Dropout& dropout) {
  drop<Real>(dev, dx, dy, packing, dropout);
}

template DenseDropoutForward<Cpu<float>> dense_dropout_forward;
template DenseDropoutForward<Cpu<double>> dense_dropout_forward;
template DenseDropoutBackward<Cpu<float>> dense_dropout_backward;
template DenseDropoutBackward<Cpu<double>> dense_dropout_backward;

}  // namespace gradus
