#include "00_foundations/cuda/product_ladder_cuda.hpp"
#include "00_foundations/cuda/product_tiles.hpp"
#include "gradus/kernels/reduce.hpp"
#include "gradus/ops/gemm.hpp"

namespace gradus {
namespace {

constexpr unsigned warps = 8;  ///< of a block, in the first two steps
constexpr unsigned side = ProductTiles::side, wide = ProductTiles::wide, deep = ProductTiles::deep,
                   each = ProductTiles::each, across = wide / each;

/// One element of c: the sum of products along a row of a and a column of b.
template <class Real>
__device__ void write_element(View<Real, 2, Gpu> c, View<const Real, 2, Gpu> a, View<const Real, 2, Gpu> b,
                              std::size_t row, std::size_t column) {
  if (row >= c.extent[0] || column >= c.extent[1]) return;
  Real sum = 0;
  for (std::size_t k = 0; k < a.extent[1]; ++k) sum += a.row(row)[k] * b.row(k)[column];
  c.row(row)[column] = sum;
}

template <class Real>
__global__ void naive_kernel(View<Real, 2, Gpu> c, View<const Real, 2, Gpu> a, View<const Real, 2, Gpu> b) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  write_element(c, a, b, std::size_t{blockIdx.x} * 32 + lane, gpu::block_y() * warps + warp);
}

template <class Real>
__global__ void coalesced_kernel(View<Real, 2, Gpu> c, View<const Real, 2, Gpu> a, View<const Real, 2, Gpu> b) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  write_element(c, a, b, gpu::block_y() * warps + warp, std::size_t{blockIdx.x} * 32 + lane);
}

/// An element of a matrix; 0 outside, so that tiles at the edges need no other loop.
template <class Real>
__device__ Real element(View<const Real, 2, Gpu> m, std::size_t row, std::size_t column) {
  return row < m.extent[0] && column < m.extent[1] ? m.row(row)[column] : Real(0);
}

struct TileOfA;  // distinguish the shared memory of the two tiles
struct TileOfB;

template <class Real>
__global__ void shared_tile_kernel(View<Real, 2, Gpu> c, View<const Real, 2, Gpu> a, View<const Real, 2, Gpu> b) {
  // exercise: begin
  Real* const of_a = gpu::shared<TileOfA, Real, side * side>();
  Real* const of_b = gpu::shared<TileOfB, Real, side * side>();
  const unsigned i = threadIdx.x / side, j = threadIdx.x % side;
  const std::size_t row = gpu::block_y() * side + i, column = std::size_t{blockIdx.x} * side + j;
  Real sum = 0;
  for (std::size_t first = 0; first < a.extent[1]; first += side) {
    of_a[i * side + j] = element(a, row, first + j);
    of_b[i * side + j] = element(b, first + i, column);
    __syncthreads();
    for (unsigned k = 0; k < side; ++k) sum += of_a[i * side + k] * of_b[k * side + j];
    __syncthreads();
  }
  if (row < c.extent[0] && column < c.extent[1]) c.row(row)[column] = sum;
  // exercise: end
}

/// sum[i][j] += of_a(row i) of_b(column j): 2 x `each` numbers are read from shared memory for each * each additions. A
/// thread's rows and columns are `across` apart, so neighbouring threads read neighbouring columns.
template <class Real>
__device__ void add_products(Real (&sum)[each][each], const Real* of_a, const Real* of_b, unsigned i, unsigned j) {
  for (unsigned k = 0; k < deep; ++k) {
    Real x[each], y[each];
    for (unsigned p = 0; p < each; ++p) {
      x[p] = of_a[(i + p * across) * deep + k];
      y[p] = of_b[k * wide + j + p * across];
    }
    for (unsigned p = 0; p < each; ++p) {
      for (unsigned q = 0; q < each; ++q) sum[p][q] += x[p] * y[q];
    }
  }
}

template <class Real>
__global__ void register_tile_kernel(View<Real, 2, Gpu> c, View<const Real, 2, Gpu> a, View<const Real, 2, Gpu> b) {
  Real* const of_a = gpu::shared<TileOfA, Real, wide * deep>();
  Real* const of_b = gpu::shared<TileOfB, Real, deep * wide>();
  const unsigned i = threadIdx.x / across, j = threadIdx.x % across;
  const std::size_t top = gpu::block_y() * wide, left = std::size_t{blockIdx.x} * wide;
  Real sum[each][each] = {};
  for (std::size_t first = 0; first < a.extent[1]; first += deep) {
    for (unsigned e = threadIdx.x; e < wide * deep; e += across * across) {
      of_a[e] = element(a, top + e / deep, first + e % deep);
      of_b[e] = element(b, first + e / wide, left + e % wide);
    }
    __syncthreads();
    add_products(sum, of_a, of_b, i, j);
    __syncthreads();
  }
  for (unsigned p = 0; p < each; ++p) {
    for (unsigned q = 0; q < each; ++q) {
      const std::size_t row = top + i + p * across, column = left + j + q * across;
      if (row < c.extent[0] && column < c.extent[1]) c.row(row)[column] = sum[p][q];
    }
  }
}

}  // namespace

template <class Real, class Dev>
void ladder_product(Cuda<Real>&, Out<Dev, 2> c, In<Dev, 2> a, In<Dev, 2> b, ProductStep step) {
  check_gemm<Dev>(c, a, b);
  const std::size_t n = c.extent[0], m = c.extent[1];
  const auto blocks = [](std::size_t x, unsigned wide_x, std::size_t y, unsigned wide_y) {
    return gpu::blocks_xy(gpu::blocks_for(x, wide_x), gpu::blocks_for(y, wide_y));
  };
  switch (step) {
    case ProductStep::naive:
      return gpu::launch(naive_kernel<Real>, {blocks(n, 32, m, warps), 32 * warps}, c, a, b);
    case ProductStep::coalesced:
      return gpu::launch(coalesced_kernel<Real>, {blocks(m, 32, n, warps), 32 * warps}, c, a, b);
    case ProductStep::shared_tile:
      return gpu::launch(shared_tile_kernel<Real>, {blocks(m, side, n, side), side * side}, c, a, b);
    case ProductStep::register_tile:
      return gpu::launch(register_tile_kernel<Real>, {blocks(m, wide, n, wide), across * across}, c, a, b);
  }
}

using F = Cuda<float>;
using D = Cuda<double>;
template void ladder_product(F&, Out<F, 2>, In<F, 2>, In<F, 2>, ProductStep);
template void ladder_product(D&, Out<D, 2>, In<D, 2>, In<D, 2>, ProductStep);

}  // namespace gradus
