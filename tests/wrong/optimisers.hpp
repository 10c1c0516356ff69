#pragma once
/// \file
/// Wrong optimisers, alone and inside a step of training.

#include <cmath>
#include <vector>

#include "10_training/optimiser/optimiser.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus::wrong {

/// Uses the moments without correction. The first step is 0.7 times the right one, the fifteenth 1.55 times (0.9,
/// 0.98).
/// twin: no-bias-correction 10_training own golden parity
template <class Base>
struct NoBiasCorrection : Base {
  static inline int calls = 0;
};
template <class Base>
void adam(NoBiasCorrection<Base>& dev, Acc<Base, 1> w, Acc<Base, 1> m, Acc<Base, 1> v, OutInts<Base, 1> status,
          In<Base, 1> g, In<Base, 1> squared_norm, const AdamOptions& options) {
  ++dev.calls;
  const StepState before = dev.state;
  StepState late = before;
  late.step = 1U << 31;  // beta^t is 0 there, and 1 / (1 - beta^t) is 1
  dev.set(late);
  gradus::adam(static_cast<Base&>(dev), w, m, v, status, g, squared_norm, options);
  dev.set(before);
}

/// sqrt(v + epsilon) instead of sqrt(v) + epsilon.
/// twin: epsilon-inside-root 10_training own golden parity
template <class Base>
struct EpsilonInsideRoot : Base {
  static inline int calls = 0;
};
template <class Base>
void adam(EpsilonInsideRoot<Base>& dev, Acc<Base, 1> w, Acc<Base, 1> m, Acc<Base, 1> v, OutInts<Base, 1> status,
          In<Base, 1> g, In<Base, 1> squared_norm, const AdamOptions& o) {
  ++dev.calls;
  const std::vector<double> start(w.data, w.data + w.extent[0]);
  gradus::adam(static_cast<Base&>(dev), w, m, v, status, g, squared_norm, o);
  const double t = dev.state.step,
               shrink = o.update.decay == Decay::decoupled ? dev.state.learning_rate * o.update.weight_decay : 0;
  for (std::size_t i = 0; i < w.extent[0]; ++i) {
    const double m_hat = m[i] / (1 - std::pow(o.beta1, t)), v_hat = v[i] / (1 - std::pow(o.beta2, t));
    const double kept = start[i] * (1 - (i < o.update.decaying ? shrink : 0));
    w[i] = kept - dev.state.learning_rate * m_hat / std::sqrt(v_hat + o.epsilon);
  }
}

/// Decays inside the gradient instead of separately, and vice versa.
/// twin: decay-swapped 10_training tutorial golden parity
template <class Base>
struct DecaySwapped : Base {
  static inline int calls = 0;
};
template <class Base>
void adam(DecaySwapped<Base>& dev, Acc<Base, 1> w, Acc<Base, 1> m, Acc<Base, 1> v, OutInts<Base, 1> status,
          In<Base, 1> g, In<Base, 1> squared_norm, AdamOptions options) {
  ++dev.calls;
  options.update.decay = options.update.decay == Decay::coupled ? Decay::decoupled : Decay::coupled;
  gradus::adam(static_cast<Base&>(dev), w, m, v, status, g, squared_norm, options);
}

/// Decays norms, biases and embeddings too.
/// twin: everything-decays 10_training own golden parity
template <class Base>
struct EverythingDecays : Base {
  static inline int calls = 0;
};
template <class Base>
void adam(EverythingDecays<Base>& dev, Acc<Base, 1> w, Acc<Base, 1> m, Acc<Base, 1> v, OutInts<Base, 1> status,
          In<Base, 1> g, In<Base, 1> squared_norm, AdamOptions options) {
  ++dev.calls;
  options.update.decaying = w.extent[0];
  gradus::adam(static_cast<Base&>(dev), w, m, v, status, g, squared_norm, options);
}

/// Clips by the norm of the current range instead of the norm of the whole gradient: its direction changes.
/// twin: clip-per-range 10_training own golden parity
template <class Base>
struct ClipPerRange : Base {
  static inline int calls = 0;
};
template <class Base>
void adam(ClipPerRange<Base>& dev, Acc<Base, 1> w, Acc<Base, 1> m, Acc<Base, 1> v, OutInts<Base, 1> status,
          In<Base, 1> g, In<Base, 1>, const AdamOptions& options) {
  ++dev.calls;
  Scratch<Base> scope(dev);
  const auto own = dev.scratch.vector(1);
  fill(dev, own, 0);
  squared_norm(dev, own, g);
  gradus::adam(static_cast<Base&>(dev), w, m, v, status, g, In<Base, 1>(own), options);
}

}  // namespace gradus::wrong
