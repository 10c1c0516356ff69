#include <algorithm>

#include "gradus/kernels/column_sums.hpp"
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

template <class T>
bool overlap(const View<T, 1, Gpu>& a, const View<T, 1, Gpu>& b) {
  return a.data < b.data + b.extent[0] && b.data < a.data + a.extent[0];
}

/// How many of the sums from `first` on one launch can add: those before the first that overlaps an earlier one,
/// because blocks of a launch do not wait for each other.
template <class Real>
std::size_t sums_together(const std::vector<DueSum<Real>>& due, std::size_t first) {
  std::size_t n = 0;
  for (; n < gpu::most_due && first + n < due.size(); ++n) {
    for (std::size_t i = first; i < first + n; ++i) {
      if (overlap(due[i].to, due[first + n].to)) return n;
    }
  }
  return n;
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

template <class Real>
void add_due_sums(Cuda<Real>& dev) {
  const std::vector<DueSum<Real>> due = std::exchange(dev.due, {});
  for (std::size_t first = 0, n = 0; first < due.size(); first += n) {
    n = sums_together(due, first);
    std::array<View<Real, 1, Gpu>, gpu::most_due> to;
    std::array<View<const Real, 2, Gpu>, gpu::most_due> rows;
    std::size_t columns = 1, chunks = 1;
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = due[first + i].to, rows[i] = due[first + i].rows;
      columns = std::max(columns, to[i].extent[0]), chunks = std::max(chunks, rows[i].extent[0]);
    }
    const auto warps = static_cast<unsigned>(std::min<std::size_t>(chunks, gpu::most_chunk_warps));
    const gpu::Grid grid{{gpu::blocks_for(columns, 32), static_cast<unsigned>(n)}, 32 * warps};
    gpu::launch(gpu::add_due_kernel<Real>, grid, to, rows);
  }
}

using F = Cuda<float>;
using D = Cuda<double>;
template void fill(F&, Out<F, 2>, double);
template void fill(D&, Out<D, 2>, double);
template void copy(F&, Out<F, 2>, In<F, 2>);
template void copy(D&, Out<D, 2>, In<D, 2>);
template void add(F&, Acc<F, 2>, In<F, 2>);
template void add(D&, Acc<D, 2>, In<D, 2>);
template void add_due_sums(F&);
template void add_due_sums(D&);

}  // namespace gradus
