#pragma once

#include "02_positional_encoding/sinusoids.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// A table, computed in its own memory and copied out. The leaf accepts a table that is one row shorter, so the
/// copy rejects it. A table that is one column narrower has an odd width, and only sinusoids can reject it.
struct SinusoidsCase {
  std::size_t P = 300, D = 6;

  void describe(Description& d) const {
    d.component = "sinusoids";
    d.output("y", {P, D}).constant();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    const Out<Dev, 2> y = t.matrix("y");
    Scratch<Dev> scope(dev);
    const Out<Dev, 2> table = dev.scratch.matrix(P, y.extent[1]);
    sinusoids(dev, table);
    copy(dev, y, table);
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

}  // namespace gradus::test
