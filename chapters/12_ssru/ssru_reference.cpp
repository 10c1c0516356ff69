#include "12_ssru/ssru.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {
namespace {

/// Calls f(i, begin, end) for each sentence i, which has the rows begin .. end - 1.
template <class F>
void each_sentence(const BasicSegments<Host>& segments, F&& f) {
  check_segments("sentences", segments, "ssru");
  for (std::size_t i = 0; i < segments.sentences(); ++i) {
    const auto begin = static_cast<std::size_t>(segments.begin[i]);
    f(i, begin, begin + static_cast<std::size_t>(segments.length[i]));
  }
}

/// Row i of a matrix, (1, D); zeros if it is absent.
template <class T>
Array<std::remove_const_t<T>> row_or_zeros(View<T, 2, Host> x, std::size_t i, std::size_t D) {
  if (x) return array(rows(x, i, 1));
  return xt::zeros<std::remove_const_t<T>>({std::size_t{1}, D});
}

template <class Real>
Array<Real> sigmoid(const Array<Real>& a) {
  return Real(1) / (Real(1) + xt::exp(-a));
}

}  // namespace

template <class Real, class Dev>
void ssru_forward(Reference<Real>& dev, Out<Dev, 2> h, Out<Dev, 2> last, SsruCache<Dev>& cache,
                  const SsruInput<Dev>& x) {
  check_ssru<Dev>(h, last, x);
  const std::size_t N = x.u.extent[0], D = x.u.extent[1];
  cache.c = dev.kept.matrix(N, D);
  fill(dev, h, 0);
  fill(dev, cache.c, 0);
  each_sentence(x.segments, [&](std::size_t i, std::size_t begin, std::size_t end) {
    // exercise: begin
    Array<Real> c = row_or_zeros(x.first, i, D);  // (1, D)
    for (std::size_t t = begin; t < end; ++t) {
      const Array<Real> u = array(rows(x.u, t, 1)), before = c, zero = xt::zeros_like(c);
      const Array<Real> f = sigmoid<Real>(array(rows(x.a, t, 1)));  // eq:12.2
      c = f * before + (Real(1) - f) * u;                           // eq:12.3
      store<Real>(rows(h, t, 1), xt::where(c < zero, zero, c));     // eq:12.4; NaN stays
      store<Real>(rows(cache.c, t, 1), c);
    }
    if (last) store<Real>(rows(last, i, 1), c);
    // exercise: end
  });
}

template <class Real, class Dev>
void ssru_backward(Reference<Real>& dev, const SsruGradients<Dev>& dx, In<Dev, 2> dh_, In<Dev, 2> dlast,
                   const SsruInput<Dev>& x, const SsruCache<Dev>& cache) {
  check_ssru_backward<Dev>(dx, dh_, dlast, x, cache);
  fill(dev, dx.u, 0);
  fill(dev, dx.a, 0);
  each_sentence(x.segments, [&, D = x.u.extent[1]](std::size_t i, std::size_t begin, std::size_t end) {
    // exercise: begin
    Array<Real> g = row_or_zeros(dlast, i, D);  // (1, D), from the rows behind t
    for (std::size_t t = end; t-- > begin;) {
      const Array<Real> u = array(rows(x.u, t, 1)), f = sigmoid<Real>(array(rows(x.a, t, 1)));
      const Array<Real> c = array(rows(cache.c, t, 1)), zero = xt::zeros_like(c);
      const Array<Real> before = t > begin ? array(rows(cache.c, t - 1, 1)) : row_or_zeros(x.first, i, D);
      const Array<Real> dh = array(rows(dh_, t, 1));
      const Array<Real> dc = xt::where(c > zero, dh, zero) + g;  // eq:12.5
      const Array<Real> du = (Real(1) - f) * dc;                 // eq:12.6
      store<Real>(rows(dx.u, t, 1), du);
      store<Real>(rows(dx.a, t, 1), f * (before - u) * du);  // eq:12.7
      g = f * dc;                                            // eq:12.8
    }
    if (dx.first) store<Real>(rows(dx.first, i, 1), g);
    // exercise: end
  });
}

template SsruForward<Reference<double>> ssru_forward;
template SsruForward<Reference<Dual>> ssru_forward;
template SsruBackward<Reference<double>> ssru_backward;

}  // namespace gradus
