#include "06_feed_forward/cpu/activation_cpu.hpp"

namespace gradus {

template <class Real, class Dev>
void activation_forward(Cpu<Real>&, Out<Dev, 2> y, In<Dev, 2> x, Activation activation) {
  check_activation<Dev>(y, x);
  with_activation(activation, [&](auto act) {
    for (std::size_t n = 0; n < x.extent[0]; ++n) {
      const Real* const in = x.row(n);
      Real* const out = y.row(n);
#pragma omp simd
      for (std::size_t j = 0; j < x.extent[1]; ++j) out[j] = act.value(in[j]);  // eq:6.2, eq:6.3, eq:6.8
    }
  });
}

template <class Real, class Dev>
void activation_backward(Cpu<Real>&, Out<Dev, 2> dx, In<Dev, 2> dy, In<Dev, 2> x, Activation activation) {
  check_activation<Dev>(dx, x);
  check_activation<Dev>(dy, x);
  with_activation(activation, [&](auto act) {
    for (std::size_t n = 0; n < x.extent[0]; ++n) {
      const Real *const in = x.row(n), *const upstream = dy.row(n);
      Real* const out = dx.row(n);
#pragma omp simd
      for (std::size_t j = 0; j < x.extent[1]; ++j)
        out[j] = act.slope(in[j]) * upstream[j];  // eq:6.5, eq:6.6, eq:6.9
    }
  });
}

template ActivationForward<Cpu<float>> activation_forward;
template ActivationForward<Cpu<double>> activation_forward;
template ActivationBackward<Cpu<float>> activation_backward;
template ActivationBackward<Cpu<double>> activation_backward;

}  // namespace gradus
