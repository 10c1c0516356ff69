#pragma once
/// \file
/// The matrix product. The project has no other.

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// A factor of a product: a matrix, as it is or transposed.
template <class Real, class Space>
struct BasicFactor {
  View<const Real, 2, Space> matrix;
  bool transposed = false;

  BasicFactor(View<const Real, 2, Space> m, bool t = false) : matrix(m), transposed(t) {}
  BasicFactor(View<Real, 2, Space> m, bool t = false) : matrix(m), transposed(t) {}

  std::size_t row_count() const { return matrix.extent[transposed ? 1 : 0]; }
  std::size_t column_count() const { return matrix.extent[transposed ? 0 : 1]; }
};
template <class Dev>
using Factor = BasicFactor<typename Dev::Real, typename Dev::Space>;

/// `v` as a transposed factor; no data is moved.
template <class T, class Space>
BasicFactor<std::remove_const_t<T>, Space> transposed(View<T, 2, Space> v) {
  return {v, true};
}

/// The check of shapes, the same on every device.
template <class Dev>
void check_gemm(Out<Dev, 2> c, const Factor<Dev>& a, const Factor<Dev>& b) {
  if (a.column_count() != b.row_count()) {
    fail("gemm: factors " + shape_text(a.matrix.extent) + (a.transposed ? "^T" : "") + " and " +
         shape_text(b.matrix.extent) + (b.transposed ? "^T" : "") + " do not fit");
  }
  check_shape("gemm: c", c, {a.row_count(), b.column_count()});
}

/// Whether the product has no element, or each of its sums is empty.
template <class Dev>
bool is_empty_product(Out<Dev, 2> c, const Factor<Dev>& a) {
  return c.extent[0] == 0 || c.extent[1] == 0 || a.column_count() == 0;
}

/// What a device defines, for the two functions below: c = scale a b, or c + scale a b if `add`.
template <class Device, class Dev = Device>
using Multiply = void(Device& dev, Out<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, double scale, bool add);
template <class Real, class Dev = Reference<Real>>
Multiply<Reference<Real>, Dev> multiply;
template <class Real, class Dev = Cpu<Real>>
Multiply<Cpu<Real>, Dev> multiply;
template <class Real, class Dev = Cuda<Real>>
Multiply<Cuda<Real>, Dev> multiply;

/// c = a b + bias, the bias added to each row, as one launch of cuBLAS. Returns false, and writes nothing, if it has none for these
/// arguments: always in double, if the product is empty, and if a matrix or the bias begins at no multiple of 16 bytes.
/// requires  the shapes of gemm, bias (m), else Error
template <class Real, class Dev = Cuda<Real>>
bool gemm_with_bias(Cuda<Real>& dev, Out<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, In<Dev, 1> bias);

/// computes  c = scale a b          (gemm)
///           c = c + scale a b      (gemm_add)
/// requires  a (n, k), b (k, m), c (n, m), after transposition; else Error. c overlaps neither a nor b.
/// ensures   For k = 0 the sum is empty: the product is zero.
template <class Dev>
void gemm(Dev& dev, Out<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, double scale = 1) {
  multiply(dev, c, a, b, scale, false);
}
template <class Dev>
void gemm_add(Dev& dev, Acc<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, double scale = 1) {
  multiply(dev, c, a, b, scale, true);
}

}  // namespace gradus
