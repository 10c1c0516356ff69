#include "05_layer_norm/layer_norm.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {

template <class Real, class Dev>
void layer_norm_forward(Reference<Real>& dev, Out<Dev, 2> y, NormCache<Dev>& cache, In<Dev, 2> x_,
                        const NormParams<Dev>& p) {
  check_layer_norm<Dev>(y, x_, p);
  cache = {dev.kept.vector(x_.extent[0]), dev.kept.vector(x_.extent[0])};
  // exercise: begin
  const Array<Real> x = array(x_);                                       // (N, D)
  const Array<Real> mean = row_mean<Real>(x);                            // (N, 1)
  const Array<Real> variance = row_mean<Real>((x - mean) * (x - mean));  // (N, 1), eq:5.1
  const Array<Real> rstd = Real(1) / xt::sqrt(variance + p.epsilon);     // (N, 1)
  const Array<Real> xhat = (x - mean) * rstd;                            // (N, D), eq:5.2
  store<Real>(y, row(p.gamma) * xhat + row(p.beta));                     // eq:5.3
  store<Real>(cache.mean, mean);
  store<Real>(cache.rstd, rstd);
  // exercise: end
}

template <class Real, class Dev>
void layer_norm_backward(Reference<Real>&, Out<Dev, 2> dx, const NormParams<Dev>& dp, In<Dev, 2> dy_, In<Dev, 2> x,
                         const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  check_layer_norm_backward<Dev>(dx, dp, dy_, x, cache, p);
  // exercise: begin
  const Array<Real> dy = array(dy_);                                // (N, D)
  const Array<Real> rstd = column(cache.rstd);                      // (N, 1)
  const Array<Real> xhat = (array(x) - column(cache.mean)) * rstd;  // (N, D)
  add_to<Real>(dp.gamma, sum_rows<Real>(dy * xhat));                // eq:5.5
  add_to<Real>(dp.beta, sum_rows<Real>(dy));                        // eq:5.6
  const Array<Real> g = dy * row(p.gamma);                          // (N, D), the gradient of xhat
  store<Real>(dx, rstd * (g - row_mean<Real>(g) - xhat * row_mean<Real>(g * xhat)));  // eq:5.7
  // exercise: end
}

template LayerNormForward<Reference<double>> layer_norm_forward;
template LayerNormForward<Reference<Dual>> layer_norm_forward;
template LayerNormBackward<Reference<double>> layer_norm_backward;

}  // namespace gradus
