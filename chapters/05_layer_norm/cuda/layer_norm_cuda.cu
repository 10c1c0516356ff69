#include "05_layer_norm/cuda/layer_norm_cuda.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 128, rows_per_block = threads / 32;

/// One warp for each row.
template <class Real>
__global__ void forward_kernel(View<Real, 2, Gpu> y, View<Real, 1, Gpu> mean, View<Real, 1, Gpu> rstd,
                               View<const Real, 2, Gpu> x, View<const Real, 1, Gpu> gamma,
                               View<const Real, 1, Gpu> beta, Real epsilon) {
  // exercise: begin
  const std::size_t n = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32, D = x.extent[1];
  const unsigned lane = threadIdx.x % 32;
  if (n >= x.extent[0]) return;  // a whole warp returns, so no lane waits for it
  const WarpMoments<Real> m = warp_moments(x.row(n), D, epsilon, lane);
  warp_normalise(y.row(n), x.row(n), m, gamma.data, beta.data, D, lane);
  if (lane == 0) mean[n] = m.mean, rstd[n] = m.rstd;
  // exercise: end
}

/// One warp for each row. dx may be dy: a lane reads an element before it writes it, and no other lane reads that
/// element after the means are known.
template <class Real>
__global__ void backward_kernel(View<Real, 2, Gpu> dx, View<const Real, 2, Gpu> dy, View<const Real, 2, Gpu> x,
                                View<const Real, 1, Gpu> mean, View<const Real, 1, Gpu> rstd,
                                View<const Real, 1, Gpu> gamma) {
  // exercise: begin
  const std::size_t n = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32, D = x.extent[1];
  const unsigned lane = threadIdx.x % 32;
  if (n >= x.extent[0]) return;
  const WarpMoments<Real> m{mean[n], rstd[n]};
  const WarpMeans<Real> means = warp_means(dy.row(n), x.row(n), m, gamma.data, D, lane);
  for (std::size_t d = lane; d < D; d += 32) {
    const Real xhat = (x.row(n)[d] - m.mean) * m.rstd;
    dx.row(n)[d] = m.rstd * (gamma[d] * dy.row(n)[d] - means.g - xhat * means.g_xhat);  // eq:5.7
  }
  // exercise: end
}

}  // namespace

template <class Real, class Dev>
void layer_norm_forward(Cuda<Real>& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x,
                        const NormParams<Dev>& p) {
  check_layer_norm<Dev>(y, x, p);
  const std::size_t N = x.extent[0];
  cache = {dev.kept.vector(N), dev.kept.vector(N)};
  gpu::launch(forward_kernel<Real>, {gpu::blocks_for(N, rows_per_block), threads}, y, cache.mean, cache.rstd, x,
              p.gamma, p.beta, static_cast<Real>(p.epsilon));
}

template <class Real, class Dev>
void layer_norm_backward(Cuda<Real>& dev, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                         const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  check_layer_norm_backward<Dev>(dx, dp, dy, x, cache, p);
  add_parameter_gradients<Real>(dev, dp, dy, x, cache);  // before dx, which may be dy
  gpu::launch(backward_kernel<Real>, {gpu::blocks_for(x.extent[0], rows_per_block), threads}, dx, dy, x, cache.mean,
              cache.rstd, p.gamma);
}

template LayerNormForward<Cuda<float>> layer_norm_forward;
template LayerNormForward<Cuda<double>> layer_norm_forward;
template LayerNormBackward<Cuda<float>> layer_norm_backward;
template LayerNormBackward<Cuda<double>> layer_norm_backward;

}  // namespace gradus
