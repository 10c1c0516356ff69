#include "06_feed_forward/cuda/activation_cuda.hpp"
#include "06_feed_forward/linear_activation.hpp"
#include "gradus/kernels/column_sums.hpp"
#include "gradus/kernels/quad.hpp"
#include "gradus/ops/gemm.hpp"
#include "gradus/random/dropout_cuda.hpp"

namespace gradus {
namespace {

/// Bias, activation and dropout in one pass over the product in z, which may be y. A warp takes a row, a lane four
/// columns: one draw of Philox.
template <class Act, class Real>
__global__ void forward_kernel(View<Real, 2, Gpu> y, View<Real, 2, Gpu> z, View<const Real, 1, Gpu> b,
                               KernelDropout<Real> dropout) {
  gpu::wait_for_earlier_work();
  const std::size_t n = std::size_t{blockIdx.x} * activation_warps + threadIdx.x / 32, first = activation_column();
  const std::size_t F = z.extent[1];
  if (n >= z.extent[0] || first >= F) return;
  const auto m = dropout.draw().template factors<Real>(n, first / 4);
  gpu::Quad<Real> of_row = gpu::load_quad(z.row(n), first, F);
  if (b) gpu::add_quad(of_row, gpu::load_quad(b.data, first, F));
  if constexpr (Act::needs_input) gpu::store_quad(z.row(n), first, F, of_row);
  for (std::size_t k = 0; k < 4; ++k) of_row[k] = m[k] * Act::value(of_row[k]);  // eq:6.4
  gpu::store_quad(y.row(n), first, F, of_row);
}

constexpr unsigned rows_per_warp = 8, rows_per_block = rows_per_warp * activation_warps;

struct BiasSums;  // distinguishes the shared memory below

/// The dropout factors of a lane's columns in backward. For relu no draw is needed: where a unit was dropped the
/// output is 0, and so is the slope.
template <class Act, class Real>
__device__ std::array<Real, 4> backward_factors(const DropoutDraw& draw, std::size_t n, std::size_t quad) {
  if constexpr (Act::needs_input) return draw.factors<Real>(n, quad);
  const auto kept = static_cast<Real>(draw.kept_factor);
  return {kept, kept, kept, kept};
}

/// Computes dz from z, for relu from y, and the sums of its columns over the rows of a block, which are a part of db. A warp takes every
/// eighth row of the block, and its lanes add their columns in registers; then the warps' sums are added through
/// shared memory.
template <class Act, class Real>
__global__ void backward_kernel(View<Real, 2, Gpu> dz, View<Real, 2, Gpu> sums, View<const Real, 2, Gpu> dy,
                                View<const Real, 2, Gpu> z, KernelDropout<Real> dropout) {
  gpu::wait_for_earlier_work();
  const std::size_t N = z.extent[0], F = z.extent[1], first = activation_column();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const DropoutDraw draw = dropout.draw();
  gpu::Quad<Real> sum{};
  for (unsigned r = 0; r < rows_per_warp; ++r) {
    const std::size_t n = std::size_t{blockIdx.x} * rows_per_block + r * activation_warps + warp;
    if (n >= N || first >= F) break;
    const auto m = backward_factors<Act, Real>(draw, n, first / 4);
    const gpu::Quad<Real> at = gpu::load_quad(z.row(n), first, F), upstream = gpu::load_quad(dy.row(n), first, F);
    gpu::Quad<Real> g;
    for (std::size_t k = 0; k < 4; ++k) g[k] = Act::slope(at[k]) * (m[k] * upstream[k]);  // eq:6.7
    gpu::store_quad(dz.row(n), first, F, g);
    gpu::add_quad(sum, g);
  }
  if (!sums) return;  // no bias: all threads return, so none waits at the barrier
  Real* const of_warp = gpu::shared<BiasSums, Real, activation_warps * activation_columns>();
  for (unsigned k = 0; k < 4; ++k) of_warp[(warp * 4 + k) * 32 + lane] = sum[k];
  __syncthreads();
  if (warp >= 4 || first + warp >= F) return;
  Real total = 0;  // warp k takes the columns first + k
  for (unsigned w = 0; w < activation_warps; ++w) total += of_warp[(w * 4 + warp) * 32 + lane];
  sums.row(blockIdx.x)[first + warp] = total;
}

}  // namespace

template <class Real, class Dev>
void linear_activation_forward(Cuda<Real>& dev, Out<Dev, 2> y, LinearActivationCache<Dev>& cache, In<Dev, 2> x,
                               const LinearParams<Dev>& p, const LinearActivationOptions& options) {
  check_linear<Dev>(y, x, p);
  check_rate(options.dropout);
  const auto [N, F] = y.extent;
  const bool keeps_z = options.activation != Activation::relu;
  cache.z = keeps_z ? dev.kept.matrix(N, F) : y;  // relu's slope can be seen in y
  gemm(dev, cache.z, x, p.w);
  const gpu::Grid grid = activation_grid(N, F, activation_warps);
  with_kernel_activation(options.activation, [&](auto act) {
    gpu::launch_early(forward_kernel<decltype(act), Real>, grid, y, cache.z, p.b,
                      kernel_dropout(dev, options.dropout));
  });
}

template <class Real, class Dev>
void linear_activation_backward(Cuda<Real>& dev, Out<Dev, 2> dx, const LinearParams<Dev>& dp, In<Dev, 2> dy,
                                In<Dev, 2> x, const LinearActivationCache<Dev>& cache, const LinearParams<Dev>& p,
                                const LinearActivationOptions& options) {
  check_linear_activation_backward<Dev>(dx, dp, dy, x, cache, p, options);
  const auto [N, F] = dy.extent;
  Scratch scope(dev);
  const Out<Dev, 2> dz = dev.scratch.matrix(N, F);  // (N, F)
  const gpu::Grid grid = activation_grid(N, F, rows_per_block);
  const Out<Dev, 2> sums = dp.b ? dev.kept.matrix(grid.blocks.x, F) : Out<Dev, 2>{};
  with_kernel_activation(options.activation, [&](auto act) {
    gpu::launch_early(backward_kernel<decltype(act), Real>, grid, dz, sums, dy, cache.z,
                      kernel_dropout(dev, options.dropout));
  });
  if (dp.b) gpu::add_later<Real, 1>(dev, {dp.b}, {sums});
  linear_backward(dev, dx, {dp.w, {}}, dz, x, p);  // db is added above
}

template LinearActivationForward<Cuda<float>> linear_activation_forward;
template LinearActivationForward<Cuda<double>> linear_activation_forward;
template LinearActivationBackward<Cuda<float>> linear_activation_backward;
template LinearActivationBackward<Cuda<double>> linear_activation_backward;

}  // namespace gradus
