#pragma once
/// \file
/// The activations, for one element: the code that activation and linear_activation share on the processor.

#include <cmath>

#include "06_feed_forward/activation.hpp"
#include "gradus/ops/cpu/exp_cpu.hpp"

namespace gradus {

struct Relu {
  static constexpr bool needs_input = false;  ///< the slope is 1 exactly where the output is not 0
  template <class Real>
  static Real value(Real x) {
    return x > 0 ? x : Real(0);
  }
  template <class Real>
  static Real slope(Real x) {
    return x > 0 ? Real(1) : Real(0);
  }
};

/// erf for a loop that vectorises: in single precision a short formula is exact to the last digit of 1 + erf
/// (Abramowitz, Stegun 1964, 7.1.26: error below 1.5e-7 for all values). In double it calls the library.
inline float loop_erf(float x) {
  const float size = x < 0 ? -x : x, t = 1 / (1 + 0.3275911F * size);
  const float p =
      ((((1.061405429F * t - 1.453152027F) * t + 1.421413741F) * t - 0.284496736F) * t + 0.254829592F) * t;
  const float erf_of_size = 1 - p * fast_exp(-size * size);
  return x < 0 ? -erf_of_size : erf_of_size;
}
inline double loop_erf(double x) { return std::erf(x); }

struct Gelu {
  static constexpr bool needs_input = true;
  template <class Real>
  static Real below(Real x) {
    return Real(0.5) * (1 + loop_erf(x * Real(root_half)));
  }
  template <class Real>
  static Real value(Real x) {
    return x * below(x);
  }
  template <class Real>
  static Real slope(Real x) {
    return below(x) + x * Real(one_over_root_2pi) * fast_exp(Real(-0.5) * x * x);
  }
};

struct Swish {
  static constexpr bool needs_input = true;
  template <class Real>
  static Real logistic(Real x) {
    return 1 / (1 + fast_exp(-x));
  }
  template <class Real>
  static Real value(Real x) {
    return x * logistic(x);
  }
  template <class Real>
  static Real slope(Real x) {
    const Real sigma = logistic(x);
    return sigma * (1 + x * (1 - sigma));
  }
};

/// Calls body(Relu{}), or with the type of another activation: the choice is made outside the loop, so that the loop
/// vectorises.
template <class F>
void with_activation(Activation activation, F&& body) {
  switch (activation) {
    case Activation::relu:
      return body(Relu{});
    case Activation::gelu:
      return body(Gelu{});
    case Activation::swish:
      return body(Swish{});
  }
}

/// Whether the slope needs the input; if not, the output tells it.
inline bool needs_input(Activation activation) {
  bool needs = true;
  with_activation(activation, [&](auto act) { needs = act.needs_input; });
  return needs;
}

}  // namespace gradus
