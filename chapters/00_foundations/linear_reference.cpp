#include "00_foundations/linear.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {

template <class Real, class Dev>
void linear_forward(Reference<Real>&, Out<Dev, 2> y, In<Dev, 2> x, const LinearParams<Dev>& p) {
  check_linear<Dev>(y, x, p);
  // exercise: begin
  const Array<Real> xw = product(array(x), array(p.w));  // (N, out)
  if (p.b) {
    store<Real>(y, xw + row(p.b));  // eq:0.1
  } else {
    store<Real>(y, xw);
  }
  // exercise: end
}

template <class Real, class Dev>
void linear_backward(Reference<Real>&, Out<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy_, In<Dev, 2> x,
                     const LinearParams<Dev>& p) {
  check_linear_backward<Dev>(dx, dp, dy_, x, p);
  // exercise: begin
  const Array<Real> dy = array(dy_);                             // (N, out)
  if (dx) store<Real>(dx, product(dy, transposed(array(p.w))));  // eq:0.3
  add_to<Real>(dp.w, product(transposed(array(x)), dy));         // eq:0.4
  if (dp.b) add_to<Real>(dp.b, sum_rows<Real>(dy));              // eq:0.5
  // exercise: end
}

template LinearForward<Reference<double>> linear_forward;
template LinearForward<Reference<Dual>> linear_forward;
template LinearBackward<Reference<double>> linear_backward;

}  // namespace gradus
