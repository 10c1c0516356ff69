#pragma once
/// \file
/// The scan of the simpler simple recurrent unit: a gate and a state for each column, from the first word of a sentence to its
/// last. Sizes: N rows, D columns, B sentences.

#include "03_attention/attention.hpp"
#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/segments.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicSsruInput {
  View<const Real, 2, Space> u, a;   ///< (N, D): the candidate for the state, and the gate before its sigmoid
  View<const Real, 2, Space> first;  ///< (B, D): the state before each sentence; or absent, which means 0
  BasicSegments<Space> segments;     ///< the rows of each sentence
};
template <class Dev>
using SsruInput = BasicSsruInput<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space, class F>
void each_view(const BasicSsruInput<Real, Space>& x, F&& f) {
  f(x.u), f(x.a), f(x.first), f(x.segments);
}

/// The gradients that backward writes: of u and a (N, D); of first (B, D), or absent.
template <class Real, class Space>
struct BasicSsruGradients {
  View<Real, 2, Space> u, a, first;
};
template <class Dev>
using SsruGradients = BasicSsruGradients<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space, class F>
void each_view(const BasicSsruGradients<Real, Space>& dx, F&& f) {
  f(dx.u), f(dx.a), f(dx.first);
}

template <class Real, class Space>
struct BasicSsruCache {
  View<Real, 2, Space> c;  ///< (N, D): the state after each row
};
template <class Dev>
using SsruCache = BasicSsruCache<typename Dev::Real, typename Dev::Space>;

/// \defgroup ssru ssru
/// computes  for each sentence, row t after row t - 1, where the state before its first row is first or 0:
///             f_t = sigmoid(a_t),  c_t = f_t c_(t-1) + (1 - f_t) u_t,  h_t = max(0, c_t)        (eq:12.2 to eq:12.4)
///           (Kim et al. 2019), and last, the state after its last row. Backward, from the last row to the first, with
///           g_t = f_(t+1) dc_(t+1), or dlast at the last row:
///             dc_t = [c_t > 0] dh_t + g_t,  du_t = (1 - f_t) dc_t,  da_t = f_t (c_(t-1) - u_t) du_t,
///             dfirst = f_1 dc_1                                                                 (eq:12.5 to eq:12.8)
/// requires  u, a, h, du, da, dh (N, D), N the `rows` of the segments; first, last, dfirst, dlast (B, D) or absent;
///           segments lie inside their rows, with at most `longest` rows; else Error. Segments do not overlap. No output
///           overlaps an input, but last may be first. Cuda cannot check the segments: its kernels stay inside the rows and
///           write NaN for a segment that does not fit.
/// ensures   all outputs are overwritten; an absent one is not computed. An absent dlast means 0. Of an empty sentence last
///           is first, and dfirst is dlast. A row in no segment gets h = 0 and gradient 0.
/// saves     c. The gate is computed again.
/// @{
template <class Device, class Dev = Device>
using SsruForward = void(Device& dev, Out<Dev, 2> h, Out<Dev, 2> last, SsruCache<Dev>& cache,
                         const SsruInput<Dev>& x);
template <class Real, class Dev = Reference<Real>>
SsruForward<Reference<Real>, Dev> ssru_forward;
template <class Real, class Dev = Cpu<Real>>
SsruForward<Cpu<Real>, Dev> ssru_forward;
template <class Real, class Dev = Cuda<Real>>
SsruForward<Cuda<Real>, Dev> ssru_forward;

template <class Device, class Dev = Device>
using SsruBackward = void(Device& dev, const SsruGradients<Dev>& dx, In<Dev, 2> dh, In<Dev, 2> dlast,
                          const SsruInput<Dev>& x, const SsruCache<Dev>& cache);
template <class Real, class Dev = Reference<Real>>
SsruBackward<Reference<Real>, Dev> ssru_backward;
template <class Real, class Dev = Cpu<Real>>
SsruBackward<Cpu<Real>, Dev> ssru_backward;
template <class Real, class Dev = Cuda<Real>>
SsruBackward<Cuda<Real>, Dev> ssru_backward;
/// @}

/// The checks of the arguments, the same on every device.
template <class Dev>
void check_ssru(In<Dev, 2> h, In<Dev, 2> last, const SsruInput<Dev>& x) {
  const std::size_t D = x.u.extent[1], B = x.segments.sentences();
  check_shape("ssru: u", x.u, {x.segments.rows, D});
  check_shape("ssru: a", x.a, {x.segments.rows, D});
  check_shape("ssru: h", h, {x.segments.rows, D});
  check_shape("ssru: lengths of the sentences", x.segments.length, {B});
  check_optional("ssru: state before the sentences", x.first, {B, D});
  check_optional("ssru: state after the sentences", last, {B, D});
}

template <class Dev>
void check_ssru_backward(const SsruGradients<Dev>& dx, In<Dev, 2> dh, In<Dev, 2> dlast, const SsruInput<Dev>& x,
                         const SsruCache<Dev>& cache) {
  check_ssru<Dev>(dh, dlast, x);
  check_shape("ssru: du", dx.u, x.u.extent);
  check_shape("ssru: da", dx.a, x.u.extent);
  check_optional("ssru: gradient of the state before the sentences", dx.first,
                 {x.segments.sentences(), x.u.extent[1]});
  check_shape("ssru: saved states", cache.c, x.u.extent);
}

}  // namespace gradus
