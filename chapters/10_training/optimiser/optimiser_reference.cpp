#include <cmath>

#include "10_training/optimiser/optimiser.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {
namespace {

/// lambda of each parameter, (1, n): 0 for those that do not decay
template <class Real>
Array<Real> decays(std::size_t n, const UpdateOptions& options) {
  auto d = empty<Real>(1, n);
  for (std::size_t i = 0; i < n; ++i) d(0, i) = Real(i < options.decaying ? options.weight_decay : 0.0);
  return d;
}

/// g', eq:10.7
template <class Real>
Array<Real> clipped(const Array<Real>& g, const Array<Real>& w, const Array<Real>& decay, double squared,
                    const UpdateOptions& options) {
  const double norm = std::sqrt(squared);
  const Real factor(options.clip > 0 && norm > options.clip ? options.clip / norm : 1.0);
  if (options.decay == Decay::decoupled) return factor * g;
  return factor * g + decay * w;
}

}  // namespace

template <class Real, class Dev>
void squared_norm(Reference<Real>&, Acc<Dev, 1> sum, In<Dev, 1> g) {
  check_shape("squared_norm: sum", sum, {1});
  const Array<Real> a = row(g);
  add_to<Real>(sum, row_sum<Real>(a * a));
}

template <class Real, class Dev>
void adam(Reference<Real>& dev, Acc<Dev, 1> w_, Acc<Dev, 1> m_, Acc<Dev, 1> v_, OutInts<Dev, 1> status,
          In<Dev, 1> g_, In<Dev, 1> squared, const AdamOptions& o) {
  check_update<Dev>(w_, m_, v_, status, g_, squared, o.update);
  status[0] = status_after(status[0], dev.state.step, squared[0]);
  if (status[0] != 0) return;
  // exercise: begin
  const double t = dev.state.step, rate = dev.state.learning_rate;
  const Array<Real> w = row(w_), decay = decays<Real>(w.size(), o.update);
  const Array<Real> g = clipped<Real>(row(g_), w, decay, squared[0], o.update);
  const Array<Real> m = o.beta1 * row(m_) + (1 - o.beta1) * g;  // eq:10.5
  const Array<Real> v = o.beta2 * row(v_) + (1 - o.beta2) * g * g;
  const Array<Real> m_hat = m / (1 - std::pow(o.beta1, t)), v_hat = v / (1 - std::pow(o.beta2, t));
  Array<Real> step = m_hat / (xt::sqrt(v_hat) + o.epsilon);  // eq:10.6
  if (o.update.decay == Decay::decoupled) step = step + decay * w;
  store<Real>(w_, w - rate * step);
  store<Real>(m_, m);
  store<Real>(v_, v);
  // exercise: end
}

template <class Real, class Dev>
void sgd(Reference<Real>& dev, Acc<Dev, 1> w_, Acc<Dev, 1> m_, OutInts<Dev, 1> status, In<Dev, 1> g_,
         In<Dev, 1> squared, const SgdOptions& o) {
  check_update<Dev>(w_, m_, {}, status, g_, squared, o.update);
  status[0] = status_after(status[0], dev.state.step, squared[0]);
  if (status[0] != 0) return;
  // exercise: begin
  const Array<Real> w = row(w_), decay = decays<Real>(w.size(), o.update);
  const Array<Real> g = clipped<Real>(row(g_), w, decay, squared[0], o.update);
  const Array<Real> m = o.momentum * row(m_) + g;  // eq:10.4
  Array<Real> step = m;
  if (o.update.decay == Decay::decoupled) step = step + decay * w;
  store<Real>(w_, w - dev.state.learning_rate * step);
  store<Real>(m_, m);
  // exercise: end
}

template SquaredNorm<Reference<double>> squared_norm;
template Adam<Reference<double>> adam;
template Sgd<Reference<double>> sgd;

}  // namespace gradus
