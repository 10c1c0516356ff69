#include "02_positional_encoding/cuda/position_cuda.hpp"
#include "02_positional_encoding/position.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 256, rows_per_block = threads / 32;

/// One warp for each row. y may be x: a lane reads an element before it writes it, and no other lane reads it.
template <class Real>
__global__ void forward_kernel(View<Real, 2, Gpu> y, View<const Real, 2, Gpu> x,
                               View<const std::int32_t, 1, Gpu> begin, View<const std::int32_t, 1, Gpu> length,
                               View<const std::int32_t, 1, Gpu> first, View<const Real, 2, Gpu> positions) {
  const std::size_t n = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32, D = x.extent[1];
  if (n >= x.extent[0]) return;  // a whole warp
  const KernelRow<Real> place = place_row(positions, warp_position(begin, length, first, n));
  for (std::size_t d = threadIdx.x % 32; d < D; d += 32) y.row(n)[d] = x.row(n)[d] + place[d];  // eq:2.2
}

}  // namespace

template <class Real, class Dev>
void position_forward(Cuda<Real>&, Out<Dev, 2> y, In<Dev, 2> x, const Segments<Dev>& sentences, Ints<Dev, 1> first,
                      In<Dev, 2> positions) {
  check_position_shapes<Dev>(y, x, sentences, first, positions);
  gpu::launch(forward_kernel<Real>, {gpu::blocks_for(x.extent[0], rows_per_block), threads}, y, x, sentences.begin,
              sentences.length, first, positions);
}

template <class Real, class Dev>
void position_backward(Cuda<Real>& dev, Out<Dev, 2> dx, In<Dev, 2> dy) {
  check_shape("position: dx", dx, dy.extent);
  if (dx.data != dy.data) copy(dev, dx, dy);  // eq:2.5
}

template PositionForward<Cuda<float>> position_forward;
template PositionForward<Cuda<double>> position_forward;
template PositionBackward<Cuda<float>> position_backward;
template PositionBackward<Cuda<double>> position_backward;

}  // namespace gradus
