#pragma once

#include <vector>

#include "10_training/optimiser/optimiser.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// The optimisers as functions of all their inputs; they are not differentiated.
struct OptimiserCase {
  std::size_t n = 40;
  Optimiser kind = Optimiser::adam;
  UpdateOptions update{0.5, 0.01, Decay::decoupled, 25};
  double momentum = 0.9, epsilon = 1e-9;

  void describe(Description& d) const {
    d.component = name_of(kind);
    for (const char* name : {"w", "m", "v", "g"}) d.input(name, {n}).constant();
    for (const char* name : {"w_after", "m_after", "v_after"}) d.output(name, {n}).constant();
    d.output("norm", {1}).constant();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    const auto w = t.vector("w_after"), m = t.vector("m_after"), v = t.vector("v_after"), norm = t.vector("norm");
    for (const auto& [from, to] : {std::pair{"w", w}, {"m", m}, {"v", v}}) {
      const In<Dev, 1> x = t.vector(from);
      copy(dev, as_matrix(to, 1, to.extent[0]), as_matrix(x, 1, x.extent[0]));
    }
    std::vector<typename Dev::Real> squares;
    read(dev, squares, In<Dev, 1>(v));
    for (auto& x : squares) x = x * x;  // a second moment is never negative
    write(dev, v, squares);
    const In<Dev, 1> g = t.vector("g");
    fill(dev, norm, 0);
    squared_norm(dev, norm, slice(g, 0, 1));
    squared_norm(dev, norm, slice(g, 1, n - 1));  // is added to
    const OutInts<Dev, 1> status = dev.kept.ints(1);
    write(dev, status, {0});
    if (kind == Optimiser::adam) {
      adam(dev, w, m, v, status, g, norm, AdamOptions{0.9, 0.98, epsilon, update});
    } else {
      sgd(dev, w, m, status, g, norm, SgdOptions{momentum, update});
    }
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

/// Without dual numbers, because optimisers are not differentiated.
inline Component optimiser(const OptimiserCase& c) {
  return {describe(c),
          {runner<Reference<double>>("Reference<double>", c), runner<Cpu<double>>("Cpu<double>", c),
           runner<Cpu<float>>("Cpu<float>", c)},
          {}};
}

}  // namespace gradus::test
