#include "00_foundations/linear.hpp"

#include <algorithm>

#include "gradus/ops/gemm.hpp"

namespace gradus {

template <class Real, class Dev>
void linear_forward(Cpu<Real>& dev, Out<Dev, 2> y, In<Dev, 2> x, const LinearParams<Dev>& p) {
  check_linear<Dev>(y, x, p);
  if (!p.b) return gemm(dev, y, x, p.w);
  const auto [N, out] = y.extent;
  for (std::size_t n = 0; n < N; ++n) std::copy_n(p.b.data, out, y.row(n));  // the product is added to the bias
  gemm_add(dev, y, x, p.w);
}

template <class Real, class Dev>
void linear_backward(Cpu<Real>& dev, Out<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy, In<Dev, 2> x,
                     const LinearParams<Dev>& p) {
  check_linear_backward<Dev>(dx, dp, dy, x, p);
  if (dx) gemm(dev, dx, dy, transposed(p.w));
  gemm_add(dev, dp.w, transposed(x), dy);
  if (!dp.b) return;
  const std::size_t N = dy.extent[0], out = dy.extent[1];
  for (std::size_t n = 0; n < N; ++n) {
    const Real* const g = dy.row(n);
#pragma omp simd
    for (std::size_t j = 0; j < out; ++j) dp.b.data[j] += g[j];
  }
}

template LinearForward<Cpu<float>> linear_forward;
template LinearForward<Cpu<double>> linear_forward;
template LinearBackward<Cpu<float>> linear_backward;
template LinearBackward<Cpu<double>> linear_backward;

}  // namespace gradus
