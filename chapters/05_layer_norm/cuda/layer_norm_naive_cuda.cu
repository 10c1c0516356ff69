#include "05_layer_norm/layer_norm.hpp"
#include "gradus/device/cuda.hpp"
#include "gradus/kernels/reduce.hpp"
#include "gradus/kernels/version.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 128;

__device__ std::size_t this_thread() { return std::size_t{blockIdx.x} * threads + threadIdx.x; }

/// One thread for each row: the processor's loop. In each iteration the threads of a warp read one number each, a
/// whole row apart from one another.
template <class Real>
__global__ void forward_kernel(View<Real, 2, Gpu> y, View<Real, 1, Gpu> mean, View<Real, 1, Gpu> rstd,
                               View<const Real, 2, Gpu> x, View<const Real, 1, Gpu> gamma,
                               View<const Real, 1, Gpu> beta, Real epsilon) {
  const std::size_t n = this_thread(), D = x.extent[1];
  if (n >= x.extent[0]) return;
  const Real* const from = x.row(n);
  Real* const to = y.row(n);
  Real sum = 0, squares = 0;
  for (std::size_t d = 0; d < D; ++d) sum += from[d];
  const Real mu = sum / static_cast<Real>(D);
  for (std::size_t d = 0; d < D; ++d) squares += (from[d] - mu) * (from[d] - mu);
  const Real r = 1 / sqrt(squares / static_cast<Real>(D) + epsilon);
  for (std::size_t d = 0; d < D; ++d) to[d] = gamma[d] * ((from[d] - mu) * r) + beta[d];
  mean[n] = mu, rstd[n] = r;
}

/// One thread for each row. dx may be dy: the thread reads an element before it writes it.
template <class Real>
__global__ void input_kernel(View<Real, 2, Gpu> dx, View<const Real, 2, Gpu> dy, View<const Real, 2, Gpu> x,
                             View<const Real, 1, Gpu> mean, View<const Real, 1, Gpu> rstd,
                             View<const Real, 1, Gpu> gamma) {
  const std::size_t n = this_thread(), D = x.extent[1];
  if (n >= x.extent[0]) return;
  const Real *const from = x.row(n), *const upstream = dy.row(n);
  Real* const to = dx.row(n);
  const Real mu = mean[n], r = rstd[n];
  Real g = 0, g_xhat = 0;
  for (std::size_t d = 0; d < D; ++d) {
    g += gamma[d] * upstream[d];
    g_xhat += gamma[d] * upstream[d] * ((from[d] - mu) * r);
  }
  g /= static_cast<Real>(D), g_xhat /= static_cast<Real>(D);
  for (std::size_t d = 0; d < D; ++d) {
    to[d] = r * (gamma[d] * upstream[d] - g - (from[d] - mu) * r * g_xhat);  // eq:5.7
  }
}

/// One thread for each column, since all rows share a gain and a shift.
template <class Real>
__global__ void parameter_kernel(View<Real, 1, Gpu> dgamma, View<Real, 1, Gpu> dbeta, View<const Real, 2, Gpu> dy,
                                 View<const Real, 2, Gpu> x, View<const Real, 1, Gpu> mean,
                                 View<const Real, 1, Gpu> rstd) {
  const std::size_t d = this_thread();
  if (d >= x.extent[1]) return;
  Real gain = 0, shift = 0;
  for (std::size_t n = 0; n < x.extent[0]; ++n) {
    gain += dy.row(n)[d] * ((x.row(n)[d] - mean[n]) * rstd[n]);
    shift += dy.row(n)[d];
  }
  dgamma[d] += gain;  // eq:5.5
  dbeta[d] += shift;  // eq:5.6
}

template <class Real, class Dev = Cuda<Real>>
void forward(Cuda<Real>& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x, const NormParams<Dev>& p) {
  check_layer_norm<Dev>(y, x, p);
  const std::size_t N = x.extent[0];
  cache = {dev.kept.vector(N), dev.kept.vector(N)};
  gpu::launch(forward_kernel<Real>, {gpu::blocks_for(N, threads), threads}, y, cache.mean, cache.rstd, x, p.gamma,
              p.beta, static_cast<Real>(p.epsilon));
}

template <class Real, class Dev = Cuda<Real>>
void backward(Cuda<Real>&, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
              const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  check_layer_norm_backward<Dev>(dx, dp, dy, x, cache, p);
  gpu::launch(parameter_kernel<Real>, {gpu::blocks_for(x.extent[1], threads), threads}, dp.gamma, dp.beta, dy, x,
              cache.mean, cache.rstd);  // before dx, which may be dy
  gpu::launch(input_kernel<Real>, {gpu::blocks_for(x.extent[0], threads), threads}, dx, dy, x, cache.mean,
              cache.rstd, p.gamma);
}

const KernelVersion in_float("naive", forward<float>, backward<float>);
const KernelVersion in_double("naive", forward<double>, backward<double>);

}  // namespace
}  // namespace gradus
