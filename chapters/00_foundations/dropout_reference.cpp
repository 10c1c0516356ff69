#include "00_foundations/dropout_reference.hpp"
#include "00_foundations/dropout.hpp"

namespace gradus {

template <class Real, class Dev>
void dropout_forward(Reference<Real>& dev, Out<Dev, 2> y, In<Dev, 2> x, const Dropout& dropout) {
  check_dropout<Dev>(y, x, dropout);
  // exercise: begin
  const Array<Real> m = dropout_mask<Real>(dropout, dev.state, x.extent[0], x.extent[1]);  // (N, D)
  store<Real>(y, m * array(x));                                                            // eq:0.2
  // exercise: end
}

template <class Real, class Dev>
void dropout_backward(Reference<Real>& dev, Out<Dev, 2> dx, In<Dev, 2> dy, const Dropout& dropout) {
  check_dropout<Dev>(dx, dy, dropout);
  // exercise: begin
  const Array<Real> m = dropout_mask<Real>(dropout, dev.state, dy.extent[0], dy.extent[1]);
  store<Real>(dx, m * array(dy));
  // exercise: end
}

template DropoutForward<Reference<double>> dropout_forward;
template DropoutForward<Reference<Dual>> dropout_forward;
template DropoutBackward<Reference<double>> dropout_backward;

}  // namespace gradus
