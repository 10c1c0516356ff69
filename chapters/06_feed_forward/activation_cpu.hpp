#pragma once
/// \file
/// Both activations, element by element: what activation and linear_activation share on the processor.

#include <cmath>

#include "06_feed_forward/activation.hpp"
#include "gradus/ops/exp_cpu.hpp"

namespace gradus {

struct Relu {
  template <class Real>
  static Real value(Real x) {
    return x > 0 ? x : Real(0);
  }
  template <class Real>
  static Real slope(Real x) {
    return x > 0 ? Real(1) : Real(0);
  }
};

/// erf is called element by element, which costs more than the products around it: relu is the fast choice here.
struct Gelu {
  template <class Real>
  static Real below(Real x) {
    return Real(0.5) * (1 + std::erf(x * Real(0.70710678118654752)));
  }
  template <class Real>
  static Real value(Real x) {
    return x * below(x);
  }
  template <class Real>
  static Real slope(Real x) {
    return below(x) + x * Real(0.39894228040143268) * fast_exp(Real(-0.5) * x * x);
  }
};

/// Calls body(Relu{}) or body(Gelu{}): the choice is made outside of the loop, so that the loop vectorises.
template <class F>
void with_activation(Activation activation, F&& body) {
  if (activation == Activation::relu) {
    body(Relu{});
  } else {
    body(Gelu{});
  }
}

}  // namespace gradus
