#include "06_feed_forward/activation.hpp"
#include "06_feed_forward/cuda/activation_cuda.hpp"

namespace gradus {
namespace {

template <class Act, class Real>
__global__ void forward_kernel(View<Real, 2, Gpu> y, View<const Real, 2, Gpu> x) {
  const std::size_t n = std::size_t{blockIdx.x} * activation_warps + threadIdx.x / 32;
  if (n >= x.extent[0]) return;
  for (std::size_t k = 0, j = activation_column(); k < 4 && j < x.extent[1]; ++k, ++j) {
    y.row(n)[j] = Act::value(x.row(n)[j]);  // eq:6.2, eq:6.3, eq:6.8
  }
}

/// dx may be dy: one thread reads and writes an element.
template <class Act, class Real>
__global__ void backward_kernel(View<Real, 2, Gpu> dx, View<const Real, 2, Gpu> dy, View<const Real, 2, Gpu> x) {
  const std::size_t n = std::size_t{blockIdx.x} * activation_warps + threadIdx.x / 32;
  if (n >= x.extent[0]) return;
  for (std::size_t k = 0, j = activation_column(); k < 4 && j < x.extent[1]; ++k, ++j) {
    dx.row(n)[j] = Act::slope(x.row(n)[j]) * dy.row(n)[j];  // eq:6.5, eq:6.6, eq:6.9
  }
}

}  // namespace

template <class Real, class Dev>
void activation_forward(Cuda<Real>&, Out<Dev, 2> y, In<Dev, 2> x, Activation activation) {
  check_activation<Dev>(y, x);
  const gpu::Grid grid = activation_grid(x.extent[0], x.extent[1], activation_warps);
  with_kernel_activation(activation,
                         [&](auto act) { gpu::launch(forward_kernel<decltype(act), Real>, grid, y, x); });
}

template <class Real, class Dev>
void activation_backward(Cuda<Real>&, Out<Dev, 2> dx, In<Dev, 2> dy, In<Dev, 2> x, Activation activation) {
  check_activation<Dev>(dx, x);
  check_activation<Dev>(dy, x);
  const gpu::Grid grid = activation_grid(x.extent[0], x.extent[1], activation_warps);
  with_kernel_activation(activation,
                         [&](auto act) { gpu::launch(backward_kernel<decltype(act), Real>, grid, dx, dy, x); });
}

template ActivationForward<Cuda<float>> activation_forward;
template ActivationForward<Cuda<double>> activation_forward;
template ActivationBackward<Cuda<float>> activation_backward;
template ActivationBackward<Cuda<double>> activation_backward;

}  // namespace gradus
