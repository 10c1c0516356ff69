#pragma once
/// \file
/// "Add & Norm", the box of the paper's figure: adds a sublayer's output to the residual stream and normalises the
/// sum. Sizes: N rows, D columns.

#include "00_foundations/dropout.hpp"
#include "05_layer_norm/norm.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

/// The placement of the norms in a stack. With `add_norm` both are one loop over sublayers: `post` passes n on as
/// the stream (Vaswani et al. 2017), `pre` passes s on as the stream and n to the next sublayer (Xiong et al.
/// 2020).
enum class Norm { pre, post };

template <>
struct Names<Norm> {
  static constexpr const char* noun = "norm";
  static constexpr Name<Norm> table[] = {{Norm::pre, "pre"}, {Norm::post, "post"}};
};

/// \defgroup add_norm add_norm
/// computes  s = x + dropout(f),  n = norm(s)                                                      (eq:5.4)
///           and backward; at entry dx is the gradient of s from its other readers (zero if there are none):
///           dx += gradient of s from dn through the norm,  df = m dx,  m the dropout mask            (eq:5.8)
///           (residual connection: He et al. 2015; with norm and dropout: Vaswani et al. 2017, sections 3.1, 5.4)
/// requires  x, f, s, n, dx, df, dn (N, D); gamma, beta (D); 0 <= rate < 1, else Error. No output overlaps
///           an input.
/// ensures   s, n and df are overwritten. dx is ds at entry and dx at exit, in place: the fork of the
///           residual stream belongs to this leaf, so a stack passes one gradient down through its sublayers.
///           dgamma and dbeta are added to.
/// saves     mean and rstd; backward needs s, which the caller keeps, and draws the dropout mask again.
/// @{
template <class Device, class Dev = Device>
using AddNormForward = void(Device& dev, Out<Dev, 2> s, Out<Dev, 2> n, NormCache<Dev>& cache, In<Dev, 2> x,
                            In<Dev, 2> f, const NormParams<Dev>& p, const Dropout& dropout);
namespace definition {
template <class Dev>
AddNormForward<Dev> add_norm_forward;
}
using definition::add_norm_forward;
template <class Real, class Dev = Cpu<Real>>
AddNormForward<Cpu<Real>, Dev> add_norm_forward;
template <class Real, class Dev = Cuda<Real>>
AddNormForward<Cuda<Real>, Dev> add_norm_forward;

template <class Device, class Dev = Device>
using AddNormBackward = void(Device& dev, Acc<Dev, 2> dx, Out<Dev, 2> df, const NormParams<Dev>& dp, In<Dev, 2> dn,
                             In<Dev, 2> s, const NormCache<Dev>& cache, const NormParams<Dev>& p,
                             const Dropout& dropout);
namespace definition {
template <class Dev>
AddNormBackward<Dev> add_norm_backward;
}
using definition::add_norm_backward;
template <class Real, class Dev = Cpu<Real>>
AddNormBackward<Cpu<Real>, Dev> add_norm_backward;
template <class Real, class Dev = Cuda<Real>>
AddNormBackward<Cuda<Real>, Dev> add_norm_backward;
/// @}

/// \defgroup join_norm_backward join_norm_backward
/// computes  backward of n = norm(s) where s has other readers, as at the start of a pre-norm stack; at entry dx
///           is the gradient of s from them:  dx += gradient of s from dn through the norm            (eq:5.8, without f)
/// requires  s, dx, dn (N, D); gamma, beta (D), else Error. No output overlaps an input.
/// ensures   dx, dgamma and dbeta are added to. dn is undefined afterwards: a device may compute in it.
/// saves     nothing: it gets the cache of norm.
/// @{
template <class Device, class Dev = Device>
using JoinNormBackward = void(Device& dev, Acc<Dev, 2> dx, Acc<Dev, 2> dn, const NormParams<Dev>& dp, In<Dev, 2> s,
                              const NormCache<Dev>& cache, const NormParams<Dev>& p);
namespace definition {
template <class Dev>
JoinNormBackward<Dev> join_norm_backward;
}
using definition::join_norm_backward;
template <class Real, class Dev = Cuda<Real>>
JoinNormBackward<Cuda<Real>, Dev> join_norm_backward;
/// @}

/// The checks of the arguments, the same on every device. The leaf of another norm checks its own.
template <class Dev>
void check_add_norm_forward(In<Dev, 2> s, In<Dev, 2> n, In<Dev, 2> x, In<Dev, 2> f, const NormParams<Dev>& p,
                            const Dropout& dropout) {
  check_shape("add_norm: f", f, x.extent);
  check_shape("add_norm: s", s, x.extent);
  if (p.form == NormForm::layer) check_layer_norm<Dev>(n, s, p);
  check_rate(dropout);
}

template <class Dev>
void check_add_norm_backward(In<Dev, 2> dx, In<Dev, 2> df, const NormParams<Dev>& dp, In<Dev, 2> dn, In<Dev, 2> s,
                             const NormCache<Dev>& cache, const NormParams<Dev>& p, const Dropout& dropout) {
  check_shape("add_norm: df", df, s.extent);
  if (p.form == NormForm::layer) check_layer_norm_backward<Dev>(dx, dp, dn, s, cache, p);
  check_rate(dropout);
}

/// The definitions, in plainer leaves. A device may overload them with one pass; for a form of norm that its pass does not
/// know, it calls the definition by its namespace.
namespace definition {

template <class Dev>
void add_norm_forward(Dev& dev, Out<Dev, 2> s, Out<Dev, 2> n, NormCache<Dev>& cache, In<Dev, 2> x, In<Dev, 2> f,
                      const NormParams<Dev>& p, const Dropout& dropout) {
  check_add_norm_forward<Dev>(s, n, x, f, p, dropout);
  dropout_forward(dev, s, f, dropout);
  add(dev, s, x);  // eq:5.4
  norm_forward(dev, n, cache, s, p);
}

template <class Dev>
void add_norm_backward(Dev& dev, Acc<Dev, 2> dx, Out<Dev, 2> df, const NormParams<Dev>& dp, In<Dev, 2> dn,
                       In<Dev, 2> s, const NormCache<Dev>& cache, const NormParams<Dev>& p,
                       const Dropout& dropout) {
  check_add_norm_backward<Dev>(dx, df, dp, dn, s, cache, p, dropout);
  norm_backward(dev, df, dp, dn, s, cache, p);  // for the moment, df is the gradient of s through the norm
  add(dev, dx, df);                             // s has two readers: their gradients add (eq:5.8)
  dropout_backward(dev, df, dx, dropout);       // x gets it unchanged, f through the mask
}

template <class Dev>
void join_norm_backward(Dev& dev, Acc<Dev, 2> dx, Acc<Dev, 2> dn, const NormParams<Dev>& dp, In<Dev, 2> s,
                        const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  norm_backward(dev, dn, dp, dn, s, cache, p);
  add(dev, dx, dn);
}

}  // namespace definition

}  // namespace gradus
