#include "05_layer_norm/add_norm.hpp"
#include "05_layer_norm/cuda/layer_norm_cuda.hpp"
#include "gradus/kernels/quad.hpp"
#include "gradus/random/dropout_cuda.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 128, rows_per_block = threads / 32;
constexpr std::size_t backward_rows = 4 * rows_per_block;  ///< of a block

/// One warp for each row. One draw of Philox is four words, so a lane takes four neighbouring columns.
template <class Real>
__global__ void forward_kernel(View<Real, 2, Gpu> s, View<Real, 2, Gpu> n, View<Real, 1, Gpu> mean,
                               View<Real, 1, Gpu> rstd, View<const Real, 2, Gpu> x, View<const Real, 2, Gpu> f,
                               View<const Real, 1, Gpu> gamma, View<const Real, 1, Gpu> beta, Real epsilon,
                               KernelDropout<Real> dropout) {
  gpu::wait_for_earlier_work();
  const std::size_t i = std::size_t{blockIdx.x} * rows_per_block + threadIdx.x / 32, D = x.extent[1];
  const unsigned lane = threadIdx.x % 32;
  if (i >= x.extent[0]) return;
  const DropoutDraw draw = dropout.draw();
  for (std::size_t first = 4 * lane; first < D; first += 4 * 32) {
    const auto m = draw.factors<Real>(i, first / 4);
    gpu::Quad<Real> sum = gpu::load_quad(x.row(i), first, D);
    const gpu::Quad<Real> from_f = gpu::load_quad(f.row(i), first, D);
    for (std::size_t k = 0; k < 4; ++k) sum[k] += m[k] * from_f[k];  // eq:5.4
    gpu::store_quad(s.row(i), first, D, sum);
  }
  __syncwarp();  // the next loop reads the moments with another pattern of columns
  const WarpMoments<Real> moments = warp_moments<Real>(s.row(i), D, epsilon, lane);
  warp_normalise<Real>(n.row(i), s.row(i), moments, gamma.data, beta.data, D, lane);
  if (lane == 0) mean[i] = moments.mean, rstd[i] = moments.rstd;
}

/// One warp computes row i of dx and, unless it is absent, of df.
template <class Real>
__device__ void backward_row(View<Real, 2, Gpu> dx, View<Real, 2, Gpu> df, const ParameterTerm<Real>& t,
                             View<const Real, 1, Gpu> gamma, const DropoutDraw& draw, std::size_t i) {
  const std::size_t D = t.x.extent[1];
  const Real *const dn = t.dy.row(i), *const s = t.x.row(i);
  const unsigned lane = threadIdx.x % 32;
  const WarpMoments<Real> moments{t.mean[i], t.rstd[i]};
  const WarpMeans<Real> means = warp_means(dn, s, moments, gamma.data, D, lane);
  for (std::size_t first = 4 * lane; first < D; first += 4 * 32) {
    const auto m = draw.factors<Real>(i, first / 4);
    const gpu::Quad<Real> sum = gpu::load_quad(s, first, D), upstream = gpu::load_quad(dn, first, D);
    const gpu::Quad<Real> gain = gpu::load_quad(gamma.data, first, D);
    gpu::Quad<Real> joined = gpu::load_quad(dx.row(i), first, D), kept;
    for (std::size_t k = 0; k < 4; ++k) {
      const Real xhat = (sum[k] - moments.mean) * moments.rstd;
      joined[k] += moments.rstd * (gain[k] * upstream[k] - means.g - xhat * means.g_xhat);
      kept[k] = m[k] * joined[k];
    }
    gpu::store_quad(dx.row(i), first, D, joined);  // eq:5.8
    if (df) gpu::store_quad(df.row(i), first, D, kept);
  }
}

/// A block has 16 rows. First each thread adds columns over these rows, its part of dgamma and dbeta. Then each warp
/// computes every fourth row, and reads dn and s from the cache.
template <class Real>
__global__ void backward_kernel(View<Real, 2, Gpu> dx, View<Real, 2, Gpu> df,
                                std::array<View<Real, 2, Gpu>, 2> sums, ParameterTerm<Real> term,
                                View<const Real, 1, Gpu> gamma, KernelDropout<Real> dropout) {
  gpu::wait_for_earlier_work();
  const std::size_t N = dx.extent[0], D = dx.extent[1], first = blockIdx.x * backward_rows;
  const std::size_t end = first + backward_rows < N ? first + backward_rows : N;
  for (std::size_t d = threadIdx.x; d < D; d += threads) {
    gpu::sum_column<Real, 2>(sums, blockIdx.x, d, first, end, term);  // eq:5.5, eq:5.6
  }
  const DropoutDraw draw = dropout.draw();
  for (std::size_t i = first + threadIdx.x / 32; i < end; i += rows_per_block) {
    backward_row(dx, df, term, gamma, draw, i);
  }
}

/// Both functions: join_norm_backward has no df.
template <class Real>
void backward(Cuda<Real>& dev, View<Real, 2, Gpu> dx, View<Real, 2, Gpu> df, const BasicNormParams<Real, Gpu>& dp,
              const ParameterTerm<Real>& term, const BasicNormParams<Real, Gpu>& p, const Dropout& dropout) {
  const unsigned blocks = gpu::blocks_for(dx.extent[0], backward_rows);
  const auto sums = gpu::chunk_sums<Real, 2>(dev, blocks, dx.extent[1]);
  gpu::launch_early(backward_kernel<Real>, {blocks, threads}, dx, df, sums, term, p.gamma,
                    kernel_dropout(dev, dropout));
  gpu::add_later<Real, 2>(dev, {dp.gamma, dp.beta}, sums);
}

}  // namespace

template <class Real, class Dev>
void add_norm_forward(Cuda<Real>& dev, Out<Dev, 2> s, Out<Dev, 2> n, NormCache<Dev>& cache, In<Dev, 2> x,
                      In<Dev, 2> f, const NormParams<Dev>& p, const Dropout& dropout) {
  if (p.form != NormForm::layer) return definition::add_norm_forward(dev, s, n, cache, x, f, p, dropout);
  check_add_norm_forward<Dev>(s, n, x, f, p, dropout);
  const std::size_t N = x.extent[0];
  cache = {dev.kept.vector(N), dev.kept.vector(N)};
  gpu::launch_early(forward_kernel<Real>, {gpu::blocks_for(N, rows_per_block), threads}, s, n, cache.mean,
                    cache.rstd, x, f, p.gamma, p.beta, static_cast<Real>(p.epsilon), kernel_dropout(dev, dropout));
}

template <class Real, class Dev>
void add_norm_backward(Cuda<Real>& dev, Acc<Dev, 2> dx, Out<Dev, 2> df, const NormParams<Dev>& dp, In<Dev, 2> dn,
                       In<Dev, 2> s, const NormCache<Dev>& cache, const NormParams<Dev>& p,
                       const Dropout& dropout) {
  if (p.form != NormForm::layer) return definition::add_norm_backward(dev, dx, df, dp, dn, s, cache, p, dropout);
  check_add_norm_backward<Dev>(dx, df, dp, dn, s, cache, p, dropout);
  backward<Real>(dev, dx, df, dp, {dn, s, cache.mean, cache.rstd}, p, dropout);
}

template <class Real, class Dev>
void join_norm_backward(Cuda<Real>& dev, Acc<Dev, 2> dx, Acc<Dev, 2> dn, const NormParams<Dev>& dp, In<Dev, 2> s,
                        const NormCache<Dev>& cache, const NormParams<Dev>& p) {
  if (p.form != NormForm::layer) return definition::join_norm_backward(dev, dx, dn, dp, s, cache, p);
  check_layer_norm_backward<Dev>(dx, dp, dn, s, cache, p);
  backward<Real>(dev, dx, {}, dp, {dn, s, cache.mean, cache.rstd}, p, Dropout{});
}

template AddNormForward<Cuda<float>> add_norm_forward;
template AddNormForward<Cuda<double>> add_norm_forward;
template AddNormBackward<Cuda<float>> add_norm_backward;
template AddNormBackward<Cuda<double>> add_norm_backward;
template JoinNormBackward<Cuda<float>> join_norm_backward;
template JoinNormBackward<Cuda<double>> join_norm_backward;

}  // namespace gradus
