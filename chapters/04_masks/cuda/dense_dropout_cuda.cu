#include "04_masks/dense_dropout.hpp"
#include "gradus/kernels/reduce.hpp"
#include "gradus/random/dropout_cuda.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 128, rows_per_block = threads / 32;

/// One warp for each row of weights. Padding may stand before the words, so neighbouring keys may have distant
/// positions: a lane draws the counter of its own key and uses one of the four words. The host cannot check
/// positions in device memory. A wrong one selects another random word; it is never an address.
template <class Real>
__global__ void drop_kernel(View<Real, 4, Gpu> y, View<const Real, 4, Gpu> x,
                            View<const std::int32_t, 2, Gpu> query_row,
                            View<const std::int32_t, 2, Gpu> key_position, KernelDropout<Real> dropout) {
  const std::size_t H = x.extent[1], T = x.extent[2], S = x.extent[3];
  const std::size_t row = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32;
  if (row >= x.extent[0] * H * T) return;
  const std::size_t b = row / (H * T), h = row / T % H;
  const std::int32_t query = query_row.row(b)[row % T], *const positions = key_position.row(b);
  const DropoutDraw draw = dropout.draw();
  for (std::size_t s = threadIdx.x % 32; s < S; s += 32) {
    const std::int32_t at = positions[s], word = at % 4;
    Real m = 1;
    if (query >= 0 && at >= 0) {
      const auto four = draw.factors<Real>(static_cast<std::size_t>(query), static_cast<std::size_t>(at / 4), H, h);
      m = word == 0 ? four[0] : word == 1 ? four[1] : word == 2 ? four[2] : four[3];  // registers cannot be indexed
    }
    y.row(row)[s] = m * x.row(row)[s];  // eq:4.4
  }
}

template <class Real>
void drop(Cuda<Real>& dev, View<Real, 4, Gpu> y, View<const Real, 4, Gpu> x, const BasicPacking<Gpu>& packing,
          const Dropout& dropout) {
  check_dense_dropout_shapes<Cuda<Real>>(y, x, packing, dropout);
  gpu::launch(drop_kernel<Real>,
              {gpu::blocks_for(x.extent[0] * x.extent[1] * x.extent[2], rows_per_block), threads}, y, x,
              packing.query_row, packing.key_position, kernel_dropout(dev, dropout));
}

}  // namespace

template <class Real, class Dev>
void dense_dropout_forward(Cuda<Real>& dev, Out<Dev, 4> y, In<Dev, 4> x, const Packing<Dev>& packing,
                           const Dropout& dropout) {
  drop<Real>(dev, y, x, packing, dropout);
}
template <class Real, class Dev>
void dense_dropout_backward(Cuda<Real>& dev, Out<Dev, 4> dx, In<Dev, 4> dy, const Packing<Dev>& packing,
                            const Dropout& dropout) {
  drop<Real>(dev, dx, dy, packing, dropout);
}

template DenseDropoutForward<Cuda<float>> dense_dropout_forward;
template DenseDropoutForward<Cuda<double>> dense_dropout_forward;
template DenseDropoutBackward<Cuda<float>> dense_dropout_backward;
template DenseDropoutBackward<Cuda<double>> dense_dropout_backward;

}  // namespace gradus
