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

template <class Real, class T>
void read_vector(Cuda<Real>& dev, std::vector<T>& host, View<const T, 1, Gpu> x) {
  require(!dev.in_step, "read: the host reads nothing during a step");
  host.resize(x.extent[0]);
  gpu::download(host.data(), x.data, host.size() * sizeof(T));
}

template <class Real, class T>
void write_vector(Cuda<Real>& dev, View<T, 1, Gpu> y, const std::vector<T>& host) {
  require(!dev.in_step, "write: the host writes nothing during a step");
  check_shape("write: y", y, {host.size()});
  gpu::upload(y.data, host.data(), host.size() * sizeof(T));
}

}  // namespace

template <class Real, class Dev>
void fill(Cuda<Real>&, Out<Dev, 2> y, double value) {
  gpu::launch(fill_kernel<Real>, grid_for(y), y, static_cast<Real>(value));
}
template <class Real, class Dev>
void fill(Cuda<Real>& dev, Out<Dev, 1> y, double value) {
  fill(dev, as_matrix(y, 1, y.extent[0]), value);
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

template <class Real, class Dev>
void read(Cuda<Real>& dev, std::vector<Real>& host, In<Dev, 1> x) {
  read_vector(dev, host, x);
}
template <class Real, class Dev>
void read(Cuda<Real>& dev, std::vector<std::int32_t>& host, Ints<Dev, 1> x) {
  read_vector(dev, host, x);
}
template <class Real, class Dev>
void write(Cuda<Real>& dev, Out<Dev, 1> y, const std::vector<Real>& host) {
  write_vector(dev, y, host);
}
template <class Real, class Dev>
void write(Cuda<Real>& dev, OutInts<Dev, 1> y, const std::vector<std::int32_t>& host) {
  write_vector(dev, y, host);
}

using F = Cuda<float>;
using D = Cuda<double>;
template void fill(F&, Out<F, 2>, double);
template void fill(D&, Out<D, 2>, double);
template void fill(F&, Out<F, 1>, double);
template void fill(D&, Out<D, 1>, double);
template void copy(F&, Out<F, 2>, In<F, 2>);
template void copy(D&, Out<D, 2>, In<D, 2>);
template void add(F&, Acc<F, 2>, In<F, 2>);
template void add(D&, Acc<D, 2>, In<D, 2>);
template void read(F&, std::vector<float>&, In<F, 1>);
template void read(D&, std::vector<double>&, In<D, 1>);
template void read(F&, std::vector<std::int32_t>&, Ints<F, 1>);
template void read(D&, std::vector<std::int32_t>&, Ints<D, 1>);
template void write(F&, Out<F, 1>, const std::vector<float>&);
template void write(D&, Out<D, 1>, const std::vector<double>&);
template void write(F&, OutInts<F, 1>, const std::vector<std::int32_t>&);
template void write(D&, OutInts<D, 1>, const std::vector<std::int32_t>&);

}  // namespace gradus
