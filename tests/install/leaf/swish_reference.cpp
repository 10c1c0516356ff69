// The formula, on arrays.
#include "gradus/scalar/dual.hpp"
#include "gradus/tensor/array.hpp"
#include "swish.hpp"

namespace mine {

using gradus::Array;
using gradus::array;
using gradus::Dual;
using gradus::row;
using gradus::store;

template <class Real, class Dev>
void swish_forward(Reference<Real>&, Out<Dev, 2> y, In<Dev, 2> x_, In<Dev, 1> beta) {
  check_swish<Dev>(y, x_, beta);
  const Array<Real> x = array(x_);  // (N, F)
  store<Real>(y, x / (Real(1) + xt::exp(-row(beta) * x)));
}

template <class Real, class Dev>
void swish_backward(Reference<Real>&, Out<Dev, 2> dx, Acc<Dev, 1> dbeta, In<Dev, 2> dy_, In<Dev, 2> x_,
                    In<Dev, 1> beta) {
  check_swish<Dev>(dx, x_, beta);
  check_swish<Dev>(dy_, x_, dbeta);
  const Array<Real> x = array(x_), dy = array(dy_), b = row(beta);  // (N, F), (N, F), (1, F)
  const Array<Real> s = Real(1) / (Real(1) + xt::exp(-b * x)), slope = s * (Real(1) - s);
  gradus::add_to<Real>(dbeta, gradus::sum_rows<Real>(dy * x * x * slope));
  store<Real>(dx, dy * (s + b * x * slope));
}

template SwishForward<Reference<double>> swish_forward;
template SwishForward<Reference<Dual>> swish_forward;
template SwishBackward<Reference<double>> swish_backward;

}  // namespace mine
