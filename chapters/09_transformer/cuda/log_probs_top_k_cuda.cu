#include "09_transformer/log_probs_top_k.hpp"
#include "gradus/kernels/exp_sum.hpp"

namespace gradus {
namespace {

/// A candidate word. It starts as none, and every word comes before none.
template <class Real>
struct Candidate {
  Real logit = -std::numeric_limits<Real>::infinity();
  std::int32_t id = std::numeric_limits<std::int32_t>::max();
};

/// The order of the result: larger logits first, of equal ones the smaller id. No two words are equal in it.
template <class Real>
__device__ bool is_before(const Candidate<Real>& a, const Candidate<Real>& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
}

/// NaN has no place in that order, so it gets that of minus infinity; the scores of its row are NaN in any case.
template <class Real>
__device__ Candidate<Real> candidate(const Real* z, std::size_t v) {
  return {z[v] == z[v] ? z[v] : -std::numeric_limits<Real>::infinity(), static_cast<std::int32_t>(v)};
}

/// The first of the lanes' candidates, for all lanes.
template <class Real>
__device__ Candidate<Real> warp_first(Candidate<Real> c) {
  for (int half = 16; half > 0; half /= 2) {
    const Candidate<Real> other{__shfl_xor_sync(gpu::all_lanes, c.logit, half),
                                __shfl_xor_sync(gpu::all_lanes, c.id, half)};
    if (is_before(other, c)) c = other;
  }
  return c;
}

struct WarpLogits;
struct WarpIds;

/// The first of the block's candidates, for all threads; barriers as in block_sum.
template <class Real>
__device__ Candidate<Real> block_first(Candidate<Real> c) {
  Real* const logits = gpu::shared<WarpLogits, Real, 32>();
  std::int32_t* const ids = gpu::shared<WarpIds, std::int32_t, 32>();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  c = warp_first(c);
  __syncthreads();
  if (lane == 0) logits[warp] = c.logit, ids[warp] = c.id;
  __syncthreads();
  return warp_first(lane < blockDim.x / 32 ? Candidate<Real>{logits[lane], ids[lane]} : Candidate<Real>{});
}

/// The first of a thread's own columns that comes after `last`.
template <class Real>
__device__ Candidate<Real> next_own(const Real* z, std::size_t vocab, const Candidate<Real>& last) {
  Candidate<Real> best;
  for (std::size_t v = threadIdx.x; v < vocab; v += blockDim.x) {
    const Candidate<Real> c = candidate(z, v);
    if (is_before(last, c) && is_before(c, best)) best = c;
  }
  return best;
}

/// One block for each row; a thread has every blockDim-th column. In one pass each thread sums its exponentials and
/// finds its best word. Then, K times, the block takes the best of these, and the thread that had it finds its next
/// best.
template <class Real>
__global__ void top_k_kernel(View<Real, 2, Gpu> scores, View<std::int32_t, 2, Gpu> ids,
                             View<const Real, 2, Gpu> logits) {
  const std::size_t n = blockIdx.x, vocab = logits.extent[1];
  if (n >= logits.extent[0]) return;  // the whole block
  const Real* const z = logits.row(n);
  gpu::ExpSum<Real> own_sum;
  Candidate<Real> own;
  for (std::size_t v = threadIdx.x; v < vocab; v += blockDim.x) {
    gpu::add_exp(own_sum, z[v]);
    const Candidate<Real> c = candidate(z, v);
    if (is_before(c, own)) own = c;
  }
  const gpu::ExpSum<Real> all = gpu::block_exp_sum(own_sum);
  const Real log_sum = log(all.sum);
  for (std::size_t k = 0; k < scores.extent[1]; ++k) {
    const Candidate<Real> best = block_first(own);
    if (threadIdx.x == 0) {
      scores.row(n)[k] = (best.logit - all.largest) - log_sum;  // eq:9.5
      ids.row(n)[k] = best.id;
    }
    if (own.id == best.id) own = next_own(z, vocab, best);
  }
}

}  // namespace

template <class Real, class Dev>
void log_probs_top_k(Cuda<Real>&, Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> logits) {
  check_log_probs_top_k<Dev>(scores, ids, logits);
  const auto [N, vocab] = logits.extent;
  gpu::launch(top_k_kernel<Real>, {gpu::blocks_for(N, 1), gpu::row_threads(vocab)}, scores, ids, logits);
}

template LogProbsTopK<Cuda<float>> log_probs_top_k;
template LogProbsTopK<Cuda<double>> log_probs_top_k;

}  // namespace gradus
