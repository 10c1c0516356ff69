#include "00_foundations/dropout.hpp"
#include "gradus/kernels/reduce.hpp"
#include "gradus/random/dropout_cuda.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 128;

/// One Philox counter gives four words, so a thread takes four neighbouring columns.
template <class Real>
__global__ void drop_kernel(View<Real, 2, Gpu> y, View<const Real, 2, Gpu> x, KernelDropout<Real> dropout) {
  const std::size_t D = x.extent[1], quads = (D + 3) / 4;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= x.extent[0] * quads) return;
  const std::size_t n = i / quads, first = i % quads * 4;
  const DropoutDraw draw = dropout.draw();
  const auto m = draw.factors<Real>(n, first / 4);
  for (std::size_t k = 0; k < 4 && first + k < D; ++k) {
    y.row(n)[first + k] = m[k] * x.row(n)[first + k];
  }
}

template <class Real>
void drop(Cuda<Real>& dev, View<Real, 2, Gpu> y, View<const Real, 2, Gpu> x, const Dropout& dropout) {
  check_dropout<Cuda<Real>>(y, x, dropout);
  const std::size_t quads = (x.extent[1] + 3) / 4;
  gpu::launch(drop_kernel<Real>, {gpu::blocks_for(x.extent[0] * quads, threads), threads}, y, x,
              kernel_dropout(dev, dropout));
}

}  // namespace

template <class Real, class Dev>
void dropout_forward(Cuda<Real>& dev, Out<Dev, 2> y, In<Dev, 2> x, const Dropout& dropout) {
  drop(dev, y, x, dropout);
}

template <class Real, class Dev>
void dropout_backward(Cuda<Real>& dev, Out<Dev, 2> dx, In<Dev, 2> dy, const Dropout& dropout) {
  drop(dev, dx, dy, dropout);
}

template DropoutForward<Cuda<float>> dropout_forward;
template DropoutForward<Cuda<double>> dropout_forward;
template DropoutBackward<Cuda<float>> dropout_backward;
template DropoutBackward<Cuda<double>> dropout_backward;

}  // namespace gradus
