#pragma once

#include <string>

#include "05_layer_norm/residual_stack.hpp"
#include "support/case.hpp"

namespace gradus::test {

struct ResidualStackCase {
  Norm norm = Norm::pre;
  std::size_t N = 4, D = 5, L = 3;

  void describe(Description& d) const {
    d.component = norm == Norm::pre ? "residual_stack_pre" : "residual_stack_post";
    d.input("x", {N, D});
    if (norm == Norm::pre) describe_norm(d, "first");
    for (std::size_t l = 0; l < L; ++l) {
      d.parameter("w" + std::to_string(l), {D, D}).scaled(0.5);
      d.parameter("b" + std::to_string(l), {D});
      describe_norm(d, std::to_string(l));
    }
    d.output("y", {N, D});
  }

  template <class Dev>
  using Cache = ResidualStackCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    residual_stack_forward(dev, cache, t.matrix("x"), params<Dev>(t, ""), norm);
    copy(dev, t.matrix("y"), cache.sublayers.back().n);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    residual_stack_backward(dev, t.d_matrix("x"), params<Dev>(t, "d"), t.d_matrix("y"), t.matrix("x"), cache,
                            params<Dev>(t, ""), norm);
  }

 private:
  void describe_norm(Description& d, const std::string& which) const {
    d.parameter("gamma" + which, {D});
    d.parameter("beta" + which, {D});
  }
  template <class Dev>
  ResidualStackParams<Dev> params(Tensors<Dev>& t, const std::string& d) const {
    ResidualStackParams<Dev> p;
    if (norm == Norm::pre) p.first_norm = {t.vector(d + "gammafirst"), t.vector(d + "betafirst")};
    for (std::size_t l = 0; l < L; ++l) {
      const std::string which = std::to_string(l);
      p.sublayers.push_back({t.matrix(d + "w" + which), t.vector(d + "b" + which)});
      p.norms.push_back({t.vector(d + "gamma" + which), t.vector(d + "beta" + which)});
    }
    return p;
  }
};

}  // namespace gradus::test
