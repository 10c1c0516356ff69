#include "00_foundations/linear.hpp"
#include "gradus/device/in_parallel.hpp"
#include "gradus/kernels/column_sums.hpp"
#include "gradus/ops/gemm.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 256;

/// Copies the bias to every row; the product is then added to it. For products that cuBLAS does not compute with a bias.
template <class Real>
__global__ void bias_kernel(View<Real, 2, Gpu> y, View<const Real, 1, Gpu> b) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, D = y.extent[1];
  if (i < y.extent[0] * D) y.row(i / D)[i % D] = b[i % D];
}

/// The term of the sum db: an element of dy.
template <class Real>
struct Element {
  View<const Real, 2, Gpu> dy;
  __device__ std::array<Real, 1> operator()(std::size_t n, std::size_t j) const { return {dy.row(n)[j]}; }
};

}  // namespace

template <class Real, class Dev>
void linear_forward(Cuda<Real>& dev, Out<Dev, 2> y, In<Dev, 2> x, const LinearParams<Dev>& p) {
  check_linear<Dev>(y, x, p);
  if (!p.b) return gemm(dev, y, x, p.w);
  if (gemm_with_bias<Real>(dev, y, x, p.w, p.b)) return;
  gpu::launch(bias_kernel<Real>, {gpu::blocks_for(y.extent[0] * y.extent[1], threads), threads}, y, p.b);
  gemm_add(dev, y, x, p.w);
}

template <class Real, class Dev>
void linear_backward(Cuda<Real>& dev, Out<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                     const LinearParams<Dev>& p) {
  check_linear_backward<Dev>(dx, dp, dy, x, p);
  const auto of_input = [&] { gemm(dev, dx, dy, transposed(p.w)); };
  const auto of_parameters = [&] {
    gemm_add(dev, dp.w, transposed(x), dy);
    if (dp.b) gpu::add_column_sums<Real, 1>(dev, {dp.b}, dy.extent[0], Element<Real>{dy});
  };
  dx ? in_parallel(dev, of_input, of_parameters) : of_parameters();
}

template LinearForward<Cuda<float>> linear_forward;
template LinearForward<Cuda<double>> linear_forward;
template LinearBackward<Cuda<float>> linear_backward;
template LinearBackward<Cuda<double>> linear_backward;

}  // namespace gradus
