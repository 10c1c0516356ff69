#include <cmath>

#include "10_training/optimiser/optimiser.hpp"

namespace gradus {
namespace {

double clip_factor(double squared, const UpdateOptions& o) {
  const double norm = std::sqrt(squared);
  return o.clip > 0 && norm > o.clip ? o.clip / norm : 1;
}

/// The numbers of one step, in the scalar of the loop.
template <class Real>
struct Step {
  Real rate, clip, coupled, shrink;  ///< decay inside the gradient; factor of w for decay separate from it

  Step(const StepState& state, double squared, const UpdateOptions& o, bool decays)
      : rate(static_cast<Real>(state.learning_rate)),
        clip(static_cast<Real>(clip_factor(squared, o))),
        coupled(static_cast<Real>(decays && o.decay == Decay::coupled ? o.weight_decay : 0)),
        shrink(static_cast<Real>(
            1 - (decays && o.decay == Decay::decoupled ? state.learning_rate * o.weight_decay : 0))) {}
};

/// Adam on elements begin .. end - 1; either all of them decay or none.
template <class Real>
void adam_range(View<Real, 1, Host> w, View<Real, 1, Host> m, View<Real, 1, Host> v, View<const Real, 1, Host> g,
                std::size_t begin, std::size_t end, const Step<Real>& step, const AdamOptions& o, double t) {
  const auto b1 = static_cast<Real>(o.beta1), b2 = static_cast<Real>(o.beta2),
             epsilon = static_cast<Real>(o.epsilon);
  const auto c1 = static_cast<Real>(1 - o.beta1);  // before rounding: in float 1 - 0.999 has an error of 1e-5
  const auto c2 = static_cast<Real>(1 - o.beta2);
  const auto m_factor = static_cast<Real>(1 / (1 - std::pow(o.beta1, t)));
  const auto v_factor = static_cast<Real>(1 / (1 - std::pow(o.beta2, t)));
#pragma omp simd
  for (std::size_t i = begin; i < end; ++i) {
    const Real gi = step.clip * g[i] + step.coupled * w[i];
    const Real mi = m[i] = b1 * m[i] + c1 * gi;
    const Real vi = v[i] = b2 * v[i] + c2 * gi * gi;
    w[i] = step.shrink * w[i] - step.rate * (mi * m_factor / (std::sqrt(vi * v_factor) + epsilon));
  }
}

template <class Real>
void sgd_range(View<Real, 1, Host> w, View<Real, 1, Host> m, View<const Real, 1, Host> g, std::size_t begin,
               std::size_t end, const Step<Real>& step, Real momentum) {
#pragma omp simd
  for (std::size_t i = begin; i < end; ++i) {
    m[i] = momentum * m[i] + step.clip * g[i] + step.coupled * w[i];
    w[i] = step.shrink * w[i] - step.rate * m[i];
  }
}

}  // namespace

template <class Real, class Dev>
void squared_norm(Cpu<Real>&, Acc<Dev, 1> sum, In<Dev, 1> g) {
  check_shape("squared_norm: sum", sum, {1});
  double total = 0;  // in float, a sum of millions of squares would stop growing
#pragma omp simd reduction(+ : total)
  for (std::size_t i = 0; i < g.extent[0]; ++i) total += static_cast<double>(g[i]) * static_cast<double>(g[i]);
  sum[0] += static_cast<Real>(total);
}

template <class Real, class Dev>
void adam(Cpu<Real>& dev, Acc<Dev, 1> w, Acc<Dev, 1> m, Acc<Dev, 1> v, OutInts<Dev, 1> status, In<Dev, 1> g,
          In<Dev, 1> squared, const AdamOptions& o) {
  check_update<Dev>(w, m, v, status, g, squared, o.update);
  status[0] = status_after(status[0], dev.state.step, squared[0]);
  if (status[0] != 0) return;
  const Step<Real> decaying(dev.state, squared[0], o.update, true), steady(dev.state, squared[0], o.update, false);
  adam_range<Real>(w, m, v, g, 0, o.update.decaying, decaying, o, dev.state.step);
  adam_range<Real>(w, m, v, g, o.update.decaying, w.extent[0], steady, o, dev.state.step);
}

template <class Real, class Dev>
void sgd(Cpu<Real>& dev, Acc<Dev, 1> w, Acc<Dev, 1> m, OutInts<Dev, 1> status, In<Dev, 1> g, In<Dev, 1> squared,
         const SgdOptions& o) {
  check_update<Dev>(w, m, {}, status, g, squared, o.update);
  status[0] = status_after(status[0], dev.state.step, squared[0]);
  if (status[0] != 0) return;
  const auto momentum = static_cast<Real>(o.momentum);
  const Step<Real> decaying(dev.state, squared[0], o.update, true), steady(dev.state, squared[0], o.update, false);
  sgd_range<Real>(w, m, g, 0, o.update.decaying, decaying, momentum);
  sgd_range<Real>(w, m, g, o.update.decaying, w.extent[0], steady, momentum);
}

template SquaredNorm<Cpu<float>> squared_norm;
template SquaredNorm<Cpu<double>> squared_norm;
template Adam<Cpu<float>> adam;
template Adam<Cpu<double>> adam;
template Sgd<Cpu<float>> sgd;
template Sgd<Cpu<double>> sgd;

}  // namespace gradus
