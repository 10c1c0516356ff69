#include "06_feed_forward/activation.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {
namespace {

/// Phi(x): the probability that a standard normal variable is below x.
template <class Real>
Array<Real> normal_below(const Array<Real>& x) {
  return Real(0.5) * (Real(1) + xt::erf(x * Real(root_half)));
}

/// sigma(x), the logistic function.
template <class Real>
Array<Real> logistic(const Array<Real>& x) {
  return Real(1) / (Real(1) + xt::exp(-x));
}

}  // namespace

template <class Real, class Dev>
void activation_forward(Reference<Real>&, Out<Dev, 2> y, In<Dev, 2> x_, Activation activation) {
  check_activation<Dev>(y, x_);
  // exercise: begin
  const Array<Real> x = array(x_), zero = xt::zeros_like(x);  // (N, F)
  switch (activation) {
    case Activation::relu:
      return store<Real>(y, xt::where(x > zero, x, zero));  // eq:6.2
    case Activation::gelu:
      return store<Real>(y, x * normal_below<Real>(x));  // eq:6.3
    case Activation::swish:
      return store<Real>(y, x * logistic<Real>(x));  // eq:6.8
  }
  // exercise: end
}

template <class Real, class Dev>
void activation_backward(Reference<Real>&, Out<Dev, 2> dx, In<Dev, 2> dy_, In<Dev, 2> x_, Activation activation) {
  check_activation<Dev>(dx, x_);
  check_activation<Dev>(dy_, x_);
  // exercise: begin
  const Array<Real> x = array(x_), dy = array(dy_), zero = xt::zeros_like(x);  // (N, F)
  switch (activation) {
    case Activation::relu:
      return store<Real>(dx, xt::where(x > zero, dy, zero));  // eq:6.5
    case Activation::gelu: {
      const Array<Real> density = one_over_root_2pi * xt::exp(-0.5 * x * x);
      return store<Real>(dx, dy * (normal_below<Real>(x) + x * density));  // eq:6.6
    }
    case Activation::swish: {
      const Array<Real> sigma = logistic<Real>(x);
      return store<Real>(dx, dy * sigma * (Real(1) + x * (Real(1) - sigma)));  // eq:6.9
    }
  }
  // exercise: end
}

template ActivationForward<Reference<double>> activation_forward;
template ActivationForward<Reference<Dual>> activation_forward;
template ActivationBackward<Reference<double>> activation_backward;

}  // namespace gradus
