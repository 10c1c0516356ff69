#include "05_layer_norm/cpu/layer_norm_cpu.hpp"

namespace gradus {

template <class Real, class Dev>
void layer_norm_forward(Cpu<Real>& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x,
                        const NormParams<Dev>& p) {
  check_layer_norm<Dev>(y, x, p);
  const std::size_t N = x.extent[0], D = x.extent[1];
  cache = {dev.kept.vector(N), dev.kept.vector(N)};
  for (std::size_t n = 0; n < N; ++n) {
    const RowMoments<Real> m = row_moments(x.row(n), D, p.epsilon);
    normalise_row(y.row(n), x.row(n), m, p.gamma.data, p.beta.data, D);
    cache.mean[n] = m.mean;
    cache.rstd[n] = m.rstd;
  }
}

template <class Real, class Dev>
void layer_norm_backward(Cpu<Real>&, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                         const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  check_layer_norm_backward<Dev>(dx, dp, dy, x, cache, p);
  const std::size_t N = x.extent[0], D = x.extent[1];
  const Real* const gamma = p.gamma.data;
  for (std::size_t n = 0; n < N; ++n) {
    const RowMoments<Real> m{cache.mean[n], cache.rstd[n]};
    const RowMeans<Real> means = accumulate_row(dp.gamma.data, dp.beta.data, dy.row(n), x.row(n), m, gamma, D);
    const Real* const in = x.row(n);
    const Real* const upstream = dy.row(n);
    Real* const out = dx.row(n);
#pragma omp simd
    for (std::size_t d = 0; d < D; ++d) {
      const Real xhat = (in[d] - m.mean) * m.rstd;
      out[d] = m.rstd * (gamma[d] * upstream[d] - means.g - xhat * means.g_xhat);  // eq:5.7
    }
  }
}

template LayerNormForward<Cpu<float>> layer_norm_forward;
template LayerNormForward<Cpu<double>> layer_norm_forward;
template LayerNormBackward<Cpu<float>> layer_norm_backward;
template LayerNormBackward<Cpu<double>> layer_norm_backward;

}  // namespace gradus
