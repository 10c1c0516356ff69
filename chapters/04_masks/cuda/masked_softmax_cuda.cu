#include "04_masks/masked_softmax.hpp"
#include "gradus/kernels/reduce.hpp"

#include <limits>

namespace gradus {
namespace {

constexpr unsigned threads = 128, rows_per_block = threads / 32;

/// One warp for each row of scores. Rows run through all heads of all sentences; heads of a sentence share a mask.
/// Exponentials are computed twice, for the sum and for p: writing and reading them would cost more.
template <class Real>
__global__ void forward_kernel(View<Real, 4, Gpu> p, View<const Real, 4, Gpu> s,
                               View<const std::int32_t, 3, Gpu> mask) {
  // exercise: begin
  const std::size_t H = s.extent[1], T = s.extent[2], S = s.extent[3];
  const std::size_t row = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  if (row >= s.extent[0] * H * T) return;  // the whole warp returns, and no other warp waits for it
  const Real* const scores = s.row(row);
  const std::int32_t* const allowed = mask.row(row / (H * T) * T + row % T);
  Real largest = std::numeric_limits<Real>::lowest(), sum = 0;
  for (std::size_t j = lane; j < S; j += 32) {
    if (allowed[j] != 0 && scores[j] > largest) largest = scores[j];
  }
  largest = gpu::warp_max(largest);
  for (std::size_t j = lane; j < S; j += 32) {
    if (allowed[j] != 0) sum += exp(scores[j] - largest);
  }
  sum = gpu::warp_sum(sum);
  const Real inverse = sum > 0 ? 1 / sum : Real(0);  // the largest adds 1: a sum of 0 means that no key is allowed
  for (std::size_t j = lane; j < S; j += 32) {       // p may be s: one lane reads and writes an element
    p.row(row)[j] = allowed[j] != 0 ? inverse * exp(scores[j] - largest) : Real(0);  // eq:4.3
  }
  // exercise: end
}

/// One warp for each row. ds may be dp, because one lane reads and writes an element.
template <class Real>
__global__ void backward_kernel(View<Real, 4, Gpu> ds, View<const Real, 4, Gpu> dp, View<const Real, 4, Gpu> p) {
  // exercise: begin
  const std::size_t row = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32, S = p.extent[3];
  const unsigned lane = threadIdx.x % 32;
  if (row >= p.extent[0] * p.extent[1] * p.extent[2]) return;
  Real sum = 0;
  for (std::size_t j = lane; j < S; j += 32) sum += p.row(row)[j] * dp.row(row)[j];
  sum = gpu::warp_sum(sum);
  for (std::size_t j = lane; j < S; j += 32) ds.row(row)[j] = p.row(row)[j] * (dp.row(row)[j] - sum);  // eq:4.5
  // exercise: end
}

template <class Real>
gpu::Grid grid_for(const View<Real, 4, Gpu>& x) {
  return {gpu::blocks_for(x.extent[0] * x.extent[1] * x.extent[2], rows_per_block), threads};
}

}  // namespace

template <class Real, class Dev>
void masked_softmax_forward(Cuda<Real>&, Out<Dev, 4> p, In<Dev, 4> s, Ints<Dev, 3> mask) {
  check_masked_softmax<Dev>(p, s, mask);
  gpu::launch(forward_kernel<Real>, grid_for(p), p, s, mask);
}

template <class Real, class Dev>
void masked_softmax_backward(Cuda<Real>&, Out<Dev, 4> ds, In<Dev, 4> dp, In<Dev, 4> p) {
  check_masked_softmax_gradient<Dev>(ds, dp, p);
  gpu::launch(backward_kernel<Real>, grid_for(ds), ds, dp, p);
}

template MaskedSoftmaxForward<Cuda<float>> masked_softmax_forward;
template MaskedSoftmaxForward<Cuda<double>> masked_softmax_forward;
template MaskedSoftmaxBackward<Cuda<float>> masked_softmax_backward;
template MaskedSoftmaxBackward<Cuda<double>> masked_softmax_backward;

}  // namespace gradus
