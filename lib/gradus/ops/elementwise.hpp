#pragma once
/// \file
/// Fill, copy, add, and the sums that are due; and read and write, the only two ways to move values between a device and the host. Reference
/// and Cpu share this code: it has no formula to read. The GPU's version, with kernels and copies, is in
/// elementwise_cuda.cu.

#include <algorithm>
#include <vector>

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"

namespace gradus {

/// \defgroup elementwise fill, copy, add, read, write
/// computes  fill: y = value. copy: y = x. add: y = y + x. read: device memory to host memory. write: host memory
///           to device memory.
/// requires  x and y of one shape, else Error. Call read and write between steps only: a recorded step could not
///           repeat them.
/// @{
template <class R, class Dev = HostDevice<R>>
void fill(HostDevice<R>&, Out<Dev, 2> y, double value) {
  for (std::size_t i = 0; i < y.extent[0]; ++i) std::fill_n(y.row(i), y.extent[1], R(value));
}
template <class R, class Dev = HostDevice<R>>
void copy(HostDevice<R>&, Out<Dev, 2> y, In<Dev, 2> x) {
  check_shape("copy: y", y, x.extent);
  for (std::size_t i = 0; i < y.extent[0]; ++i) std::copy_n(x.row(i), x.extent[1], y.row(i));
}

template <class R, class Dev = HostDevice<R>>
void add(HostDevice<R>&, Acc<Dev, 2> y, In<Dev, 2> x) {
  check_shape("add: y", y, x.extent);
  for (std::size_t i = 0; i < y.extent[0]; ++i) {
    R* const out = y.row(i);
    const R* const in = x.row(i);
    for (std::size_t j = 0; j < y.extent[1]; ++j) out[j] += in[j];
  }
}

template <class R, class T>
void read(HostDevice<R>& dev, std::vector<std::remove_const_t<T>>& host, View<T, 1, Host> x) {
  require(!dev.in_step, "read: the host reads nothing during a step");
  host.assign(x.data, x.data + x.extent[0]);
}
template <class R, class T>
void write(HostDevice<R>&, View<T, 1, Host> y, const std::vector<T>& host) {
  check_shape("write: y", y, {host.size()});
  std::copy(host.begin(), host.end(), y.data);
}

template <class Real, class Dev = Cuda<Real>>
void fill(Cuda<Real>& dev, Out<Dev, 2> y, double value);
template <class Real, class Dev = Cuda<Real>>
void copy(Cuda<Real>& dev, Out<Dev, 2> y, In<Dev, 2> x);
template <class Real, class Dev = Cuda<Real>>
void add(Cuda<Real>& dev, Acc<Dev, 2> y, In<Dev, 2> x);
template <class Real, class T>
void read(Cuda<Real>& dev, std::vector<std::remove_const_t<T>>& host, View<T, 1, Gpu> x) {
  require(!dev.in_step, "read: the host reads nothing during a step");
  host.resize(x.extent[0]);
  gpu::download(host.data(), x.data, host.size() * sizeof(T));
}
template <class Real, class T>
void write(Cuda<Real>& dev, View<T, 1, Gpu> y, const std::vector<T>& host) {
  require(!dev.in_step, "write: the host writes nothing during a step");
  check_shape("write: y", y, {host.size()});
  gpu::upload(y.data, host.data(), host.size() * sizeof(T));
}

/// host = the rows of x, one after the other.
template <class Dev, class T>
void read(Dev& dev, std::vector<std::remove_const_t<T>>& host, View<T, 2, typename Dev::Space> x) {
  const auto [rows, columns] = x.extent;
  const std::size_t all = rows == 0 ? 0 : (rows - 1) * x.stride + columns;
  read(dev, host, View<T, 1, typename Dev::Space>{x.data, {all}, all});
  for (std::size_t i = 1; i < rows; ++i)
    std::copy_n(host.begin() + static_cast<std::ptrdiff_t>(i * x.stride), columns,
                host.begin() + static_cast<std::ptrdiff_t>(i * columns));
  host.resize(rows * columns);
}

/// computes  what backward has left to be added to the gradients of parameters: sums over rows, whose parts the leaves
///           have computed. A processor leaves nothing.
/// ensures   the gradients are complete. Call it once, after the backward passes of all leaves of a step.
template <class R>
void add_due_sums(HostDevice<R>&) {}
template <class Real>
void add_due_sums(Cuda<Real>& dev);

template <class Dev, class T, class Space>
void fill(Dev& dev, View<T, 1, Space> y, double value) {
  fill(dev, as_matrix(y, 1, y.extent[0]), value);
}
/// @}

}  // namespace gradus
