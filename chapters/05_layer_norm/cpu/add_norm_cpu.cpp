#include "05_layer_norm/add_norm.hpp"
#include "05_layer_norm/cpu/layer_norm_cpu.hpp"
#include "gradus/random/dropout_cpu.hpp"

#include <algorithm>

namespace gradus {

template <class Real, class Dev>
void add_norm_forward(Cpu<Real>& dev, Out<Dev, 2> s, Out<Dev, 2> n, NormCache<Dev>& cache, In<Dev, 2> x,
                      In<Dev, 2> f, const NormParams<Dev>& p, const Dropout& dropout) {
  if (p.form != NormForm::layer) return definition::add_norm_forward(dev, s, n, cache, x, f, p, dropout);
  check_add_norm_forward<Dev>(s, n, x, f, p, dropout);
  const std::size_t N = x.extent[0], D = x.extent[1];
  cache = {dev.kept.vector(N), dev.kept.vector(N)};
  const DropoutDraw draw(dropout, dev.state);
  Scratch scope(dev);
  Real* const m = dev.scratch.vector(dropout_row_room(D)).data;
  std::fill_n(m, D, Real(1));  // the mask without dropout
  // exercise: begin
  for (std::size_t i = 0; i < N; ++i) {
    if (draw.active()) dropout_row(m, D, draw, i);
    const Real *const from_x = x.row(i), *const from_f = f.row(i);
    Real* const sum = s.row(i);
#pragma omp simd
    for (std::size_t d = 0; d < D; ++d) sum[d] = from_x[d] + m[d] * from_f[d];  // eq:5.4
    const RowMoments<Real> moments = row_moments(sum, D, p.epsilon);
    normalise_row(n.row(i), sum, moments, p.gamma.data, p.beta.data, D);
    cache.mean[i] = moments.mean;
    cache.rstd[i] = moments.rstd;
  }
  // exercise: end
}

template <class Real, class Dev>
void add_norm_backward(Cpu<Real>& dev, Acc<Dev, 2> dx, Out<Dev, 2> df, const NormParams<Dev>& dp, In<Dev, 2> dn,
                       In<Dev, 2> s, const NormCache<Dev>& cache, const NormParams<Dev>& p,
                       const Dropout& dropout) {
  if (p.form != NormForm::layer) return definition::add_norm_backward(dev, dx, df, dp, dn, s, cache, p, dropout);
  check_add_norm_backward<Dev>(dx, df, dp, dn, s, cache, p, dropout);
  const std::size_t N = s.extent[0], D = s.extent[1];
  const DropoutDraw draw(dropout, dev.state);
  Scratch scope(dev);
  Real* const m = dev.scratch.vector(dropout_row_room(D)).data;
  std::fill_n(m, D, Real(1));
  // exercise: begin
  const Real* const gamma = p.gamma.data;
  for (std::size_t i = 0; i < N; ++i) {
    const RowMoments<Real> moments{cache.mean[i], cache.rstd[i]};
    const RowMeans<Real> means =
        accumulate_row(dp.gamma.data, dp.beta.data, dn.row(i), s.row(i), moments, gamma, D);
    if (draw.active()) dropout_row(m, D, draw, i);
    const Real *const sum = s.row(i), *const upstream = dn.row(i);
    Real *const to_x = dx.row(i), *const to_f = df.row(i);
#pragma omp simd
    for (std::size_t d = 0; d < D; ++d) {
      const Real xhat = (sum[d] - moments.mean) * moments.rstd;
      const Real joined = to_x[d] + moments.rstd * (gamma[d] * upstream[d] - means.g - xhat * means.g_xhat);
      to_x[d] = joined;  // eq:5.8
      to_f[d] = m[d] * joined;
    }
  }
  // exercise: end
}

template AddNormForward<Cpu<float>> add_norm_forward;
template AddNormForward<Cpu<double>> add_norm_forward;
template AddNormBackward<Cpu<float>> add_norm_backward;
template AddNormBackward<Cpu<double>> add_norm_backward;

}  // namespace gradus
