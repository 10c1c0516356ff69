#pragma once
/// \file
/// A residual stack with the simplest sublayers, linear maps: both placements of the norm as one loop, and their
/// effect on gradients. The encoder of chapter 07 is this loop with better sublayers. Sizes: N rows, D columns.

#include <vector>

#include "00_foundations/linear.hpp"
#include "05_layer_norm/add_norm.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicResidualStackParams {
  BasicNormParams<Real, Space> first_norm;                ///< pre-norm only
  std::vector<BasicLinearParams<Real, Space>> sublayers;  ///< (D, D)
  std::vector<BasicNormParams<Real, Space>> norms;        ///< norms[l] follows sublayer l
};
template <class Dev>
using ResidualStackParams = BasicResidualStackParams<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicResidualStackCache {
  struct Sublayer {
    View<Real, 2, Space> s, n;  ///< (N, D)
    BasicNormCache<Real, Space> norm;
  };
  View<Real, 2, Space> first;  ///< (N, D), pre-norm only
  BasicNormCache<Real, Space> first_norm;
  std::vector<Sublayer> sublayers;
};
template <class Dev>
using ResidualStackCache = BasicResidualStackCache<typename Dev::Real, typename Dev::Space>;

/// \defgroup residual_stack residual_stack
/// computes  post-norm  x <- norm(x + f(x))          for each sublayer f
///           pre-norm   x <- x + f(norm(x))          for each sublayer f, and norm(x) at the end
/// requires  x, dx, dy (N, D); at least one sublayer, one norm for each, else Error.
/// ensures   forward puts the result into the last sublayer's n. dx is overwritten, gradients of parameters are
///           added to.
/// saves     s and n of every sublayer.
/// @{
template <class Dev>
void residual_stack_forward(Dev& dev, ResidualStackCache<Dev>& c, In<Dev, 2> x, const ResidualStackParams<Dev>& p,
                            Norm norm) {
  require(!p.sublayers.empty() && p.norms.size() == p.sublayers.size(),
          "residual_stack: every sublayer needs its norm, and there must be one");
  const auto [N, D] = x.extent;
  In<Dev, 2> stream = x, u = x;  // u is the sublayer's input
  if (norm == Norm::pre) {
    c.first = dev.kept.matrix(N, D);
    norm_forward(dev, c.first, c.first_norm, x, p.first_norm);
    u = c.first;
  }
  c.sublayers.resize(p.sublayers.size());
  for (std::size_t l = 0; l < p.sublayers.size(); ++l) {
    Scratch<Dev> scope(dev);
    const Out<Dev, 2> f = dev.scratch.matrix(N, D);  // (N, D)
    linear_forward(dev, f, u, p.sublayers[l]);
    auto& [s, n, norm_cache] = c.sublayers[l];
    s = dev.kept.matrix(N, D);
    n = dev.kept.matrix(N, D);
    add_norm_forward(dev, s, n, norm_cache, stream, f, p.norms[l], Dropout{});
    stream = norm == Norm::pre ? s : n;
    u = n;
  }
}

template <class Dev>
void residual_stack_backward(Dev& dev, Out<Dev, 2> dx, const ResidualStackParams<Dev>& dp, In<Dev, 2> dy,
                             In<Dev, 2> x, const ResidualStackCache<Dev>& c, const ResidualStackParams<Dev>& p,
                             Norm norm) {
  Scratch<Dev> scope(dev);
  const auto [N, D] = x.extent;
  const Out<Dev, 2> dn = dev.scratch.matrix(N, D), df = dev.scratch.matrix(N, D);  // (N, D)
  copy(dev, dn, dy);
  fill(dev, dx, 0);  // only the last norm reads the last s
  for (std::size_t l = p.sublayers.size(); l-- > 0;) {
    const auto& [s, n, norm_cache] = c.sublayers[l];
    const bool first = l == 0;
    const In<Dev, 2> u = !first ? In<Dev, 2>(c.sublayers[l - 1].n) : norm == Norm::pre ? In<Dev, 2>(c.first) : x;
    add_norm_backward(dev, dx, df, dp.norms[l], dn, s, norm_cache, p.norms[l], Dropout{});
    linear_backward(dev, dn, dp.sublayers[l], df, u, p.sublayers[l]);  // dn is now the gradient of u
    if (norm == Norm::post && !first) {                                // u is the stream: the fork joins here
      add(dev, dn, dx);
      fill(dev, dx, 0);
    }
  }
  if (norm == Norm::pre) norm_backward(dev, dn, dp.first_norm, dn, x, c.first_norm, p.first_norm);
  add(dev, dx, dn);  // x is read by the stream and, normalised or not, by the first sublayer
}
/// @}

}  // namespace gradus
