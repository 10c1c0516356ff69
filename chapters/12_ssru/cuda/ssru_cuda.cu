#include "12_ssru/ssru.hpp"

#include <limits>

#include "03_attention/cuda/attention_cuda.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 64, warps = threads / 32;

template <class Real>
__device__ Real sigmoid(Real a) {
  return 1 / (1 + exp(-a));
}

/// Blocks count columns in x. In y the first ones are a sentence each; in those behind them each warp takes 32 rows, and clears
/// the rows that belong to no sentence.
inline gpu::Grid scan_grid(const BasicSegments<Gpu>& segments, std::size_t D) {
  const std::size_t clearing = gpu::blocks_for(segments.rows, 32 * warps);
  return {gpu::blocks_xy(gpu::blocks_for(D, threads), static_cast<unsigned>(segments.sentences() + clearing)),
          threads};
}

/// The block's part of the work: f(i, rows of sentence i, column d) for this thread's column, or clear(n) by a warp.
template <class F, class Clear>
__device__ void each_part(const BasicSegments<Gpu>& segments, std::size_t D, const F& f, const Clear& clear) {
  const std::size_t i = gpu::block_y(), d = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i < segments.sentences()) {
    if (d < D) f(i, segment_rows(segments, i), d);
  } else if (blockIdx.x == 0) {
    each_spare_row(segments, ((i - segments.sentences()) * warps + threadIdx.x / 32) * 32, clear);
  }
}

/// One thread takes a column of a sentence, from the first row to the last: the threads of a warp read neighbours.
template <class Real>
__global__ void forward_kernel(View<Real, 2, Gpu> h, View<Real, 2, Gpu> last, View<Real, 2, Gpu> c,
                               BasicSsruInput<Real, Gpu> x) {
  const auto scan = [&](std::size_t i, const SegmentRows& of, std::size_t d) {
    Real state = x.first ? x.first.row(i)[d] : Real(0);
    if (!of.fits) state = std::numeric_limits<Real>::quiet_NaN();
    for (std::size_t t = of.first; t < of.first + of.count; ++t) {
      const Real f = sigmoid(x.a.row(t)[d]);        // eq:12.2
      state = f * state + (1 - f) * x.u.row(t)[d];  // eq:12.3
      c.row(t)[d] = state;
      h.row(t)[d] = state < 0 ? Real(0) : state;  // eq:12.4; NaN stays
    }
    if (last) last.row(i)[d] = state;
  };
  each_part(x.segments, h.extent[1], scan, [&](std::size_t n) { clear<Real>(rows(h, n, 1)); });
}

template <class Real>
__global__ void backward_kernel(BasicSsruGradients<Real, Gpu> dx, View<const Real, 2, Gpu> dh,
                                View<const Real, 2, Gpu> dlast, BasicSsruInput<Real, Gpu> x,
                                View<const Real, 2, Gpu> c) {
  const auto scan = [&](std::size_t i, const SegmentRows& of, std::size_t d) {
    const Real first = x.first ? x.first.row(i)[d] : Real(0);
    Real g = dlast ? dlast.row(i)[d] : Real(0);
    if (!of.fits) g = std::numeric_limits<Real>::quiet_NaN();
    for (std::size_t t = of.first + of.count; t-- > of.first;) {
      const Real before = t > of.first ? c.row(t - 1)[d] : first;
      const Real f = sigmoid(x.a.row(t)[d]);
      const Real dc = (c.row(t)[d] > 0 ? dh.row(t)[d] : Real(0)) + g;  // eq:12.5
      const Real du = (1 - f) * dc;                                    // eq:12.6
      dx.u.row(t)[d] = du;
      dx.a.row(t)[d] = f * (before - x.u.row(t)[d]) * du;  // eq:12.7
      g = f * dc;                                          // eq:12.8
    }
    if (dx.first) dx.first.row(i)[d] = g;
  };
  each_part(x.segments, dh.extent[1], scan,
            [&](std::size_t n) { clear<Real>(rows(dx.u, n, 1), rows(dx.a, n, 1)); });
}

}  // namespace

template <class Real, class Dev>
void ssru_forward(Cuda<Real>& dev, Out<Dev, 2> h, Out<Dev, 2> last, SsruCache<Dev>& cache,
                  const SsruInput<Dev>& x) {
  check_ssru<Dev>(h, last, x);
  cache.c = dev.kept.matrix(x.u.extent[0], x.u.extent[1]);
  gpu::launch(forward_kernel<Real>, scan_grid(x.segments, x.u.extent[1]), h, last, cache.c, x);
}

template <class Real, class Dev>
void ssru_backward(Cuda<Real>&, const SsruGradients<Dev>& dx, In<Dev, 2> dh, In<Dev, 2> dlast,
                   const SsruInput<Dev>& x, const SsruCache<Dev>& cache) {
  check_ssru_backward<Dev>(dx, dh, dlast, x, cache);
  gpu::launch(backward_kernel<Real>, scan_grid(x.segments, x.u.extent[1]), dx, dh, dlast, x, cache.c);
}

template SsruForward<Cuda<float>> ssru_forward;
template SsruForward<Cuda<double>> ssru_forward;
template SsruBackward<Cuda<float>> ssru_backward;
template SsruBackward<Cuda<double>> ssru_backward;

}  // namespace gradus
