#include "gradus/kernels/reduce.hpp"
#include "gradus/ops/elementwise.hpp"

namespace gradus {
namespace {

constexpr unsigned threads = 256;

/// Calls f(row, column) for every element of a matrix. Neighbouring threads take neighbouring columns, so a warp
/// reads and writes whole lines of memory.
template <class F>
__device__ void each_element(std::size_t rows, std::size_t columns, F&& f) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows * columns; i += step) {
    f(i / columns, i % columns);
  }
}

template <class Real>
__global__ void fill_kernel(View<Real, 2, Gpu> y, Real value) {
  each_element(y.extent[0], y.extent[1], [&](std::size_t n, std::size_t d) { y.row(n)[d] = value; });
}

template <class Real>
__global__ void copy_kernel(View<Real, 2, Gpu> y, View<const Real, 2, Gpu> x) {
  each_element(y.extent[0], y.extent[1], [&](std::size_t n, std::size_t d) { y.row(n)[d] = x.row(n)[d]; });
}

template <class Real>
__global__ void add_kernel(View<Real, 2, Gpu> y, View<const Real, 2, Gpu> x) {
  each_element(y.extent[0], y.extent[1], [&](std::size_t n, std::size_t d) { y.row(n)[d] += x.row(n)[d]; });
}

template <class T>
gpu::Grid grid_for(const View<T, 2, Gpu>& v) {
  return {gpu::blocks_for(v.extent[0] * v.extent[1], threads), threads};
}

}  // namespace

template <class Real, class Dev>
void fill(Cuda<Real>&, Out<Dev, 2> y, double value) {
  gpu::launch(fill_kernel<Real>, grid_for(y), y, static_cast<Real>(value));
}

template <class Real, class Dev>
void copy(Cuda<Real>&, Out<Dev, 2> y, In<Dev, 2> x) {
  check_shape("copy: y", y, x.extent);
  gpu::launch(copy_kernel<Real>, grid_for(y), y, x);
}

template <class Real, class Dev>
void add(Cuda<Real>&, Acc<Dev, 2> y, In<Dev, 2> x) {
  check_shape("add: y", y, x.extent);
  gpu::launch(add_kernel<Real>, grid_for(y), y, x);
}

using F = Cuda<float>;
using D = Cuda<double>;
template void fill(F&, Out<F, 2>, double);
template void fill(D&, Out<D, 2>, double);
template void copy(F&, Out<F, 2>, In<F, 2>);
template void copy(D&, Out<D, 2>, In<D, 2>);
template void add(F&, Acc<F, 2>, In<F, 2>);
template void add(D&, Acc<D, 2>, In<D, 2>);

}  // namespace gradus
