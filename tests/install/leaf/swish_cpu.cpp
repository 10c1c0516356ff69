// The loop.
#include <cmath>

#include "swish.hpp"

namespace mine {

template <class Real, class Dev>
void swish_forward(Cpu<Real>&, Out<Dev, 2> y, In<Dev, 2> x, In<Dev, 1> beta) {
  check_swish<Dev>(y, x, beta);
  for (std::size_t n = 0; n < x.extent[0]; ++n) {
    for (std::size_t j = 0; j < x.extent[1]; ++j)
      y.row(n)[j] = x.row(n)[j] / (1 + std::exp(-beta[j] * x.row(n)[j]));
  }
}

template <class Real, class Dev>
void swish_backward(Cpu<Real>&, Out<Dev, 2> dx, Acc<Dev, 1> dbeta, In<Dev, 2> dy, In<Dev, 2> x, In<Dev, 1> beta) {
  check_swish<Dev>(dx, x, beta);
  check_swish<Dev>(dy, x, dbeta);
  for (std::size_t n = 0; n < x.extent[0]; ++n) {
    for (std::size_t j = 0; j < x.extent[1]; ++j) {
      const Real in = x.row(n)[j], upstream = dy.row(n)[j], s = 1 / (1 + std::exp(-beta[j] * in)),
                 slope = s * (1 - s);
      dbeta[j] += upstream * in * in * slope;
      dx.row(n)[j] = upstream * (s + beta[j] * in * slope);
    }
  }
}

template SwishForward<Cpu<float>> swish_forward;
template SwishForward<Cpu<double>> swish_forward;
template SwishBackward<Cpu<float>> swish_backward;
template SwishBackward<Cpu<double>> swish_backward;

}  // namespace mine
