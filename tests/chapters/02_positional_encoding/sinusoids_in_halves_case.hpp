#pragma once

#include "02_positional_encoding/sinusoids_in_halves.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// A table, computed in its own memory and copied out, as in `SinusoidsCase`.
struct SinusoidsInHalvesCase {
  HalvesSteps steps = HalvesSteps::half;
  std::size_t P = 300, D = 6;

  void describe(Description& d) const {
    d.component = steps == HalvesSteps::half ? "sinusoids_in_halves" : "sinusoids_in_halves_less_one";
    d.output("y", {P, D}).constant();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    const Out<Dev, 2> y = t.matrix("y");
    Scratch<Dev> scope(dev);
    const Out<Dev, 2> table = dev.scratch.matrix(P, y.extent[1]);
    sinusoids_in_halves(dev, table, steps);
    copy(dev, y, table);
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

}  // namespace gradus::test
