#pragma once
/// \file
/// Arrays, the notation of formulas. `array(view)` copies a tensor in, an expression on arrays is the formula, and
/// `store` or `add_to` copies the result out. Reductions are evaluated at once, and only here: a lazy xtensor
/// reduction that keeps its axis silently gives wrong numbers inside a larger expression.

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"
#include "gradus/tensor/xtensor.hpp"

namespace gradus {

/// A matrix; vectors are matrices of one row or one column. The storage type is fixed: xtensor's default changes
/// with compiler flags, and then libraries no longer link.
template <class Real>
using Array = xt::xtensor_container<xt::uvector<Real, std::allocator<Real>>, 2, xt::layout_type::row_major>;

template <class Real>
Array<Real> empty(std::size_t rows, std::size_t columns) {
  return Array<Real>::from_shape({rows, columns});
}

/// The matrix `v` as an array.
template <class T>
Array<std::remove_const_t<T>> array(View<T, 2, Host> v) {
  auto a = empty<std::remove_const_t<T>>(v.extent[0], v.extent[1]);
  for (std::size_t i = 0; i < v.extent[0]; ++i) std::copy_n(v.row(i), v.extent[1], a.data() + i * v.extent[1]);
  return a;
}

/// The vector `v` as an array of one row, (1, n): it broadcasts down the rows.
template <class T>
Array<std::remove_const_t<T>> row(View<T, 1, Host> v) {
  return array(View<T, 2, Host>{v.data, {1, v.extent[0]}, v.extent[0]});
}

/// The vector `v` as an array of one column, (n, 1): it broadcasts along the columns.
template <class T>
Array<std::remove_const_t<T>> column(View<T, 1, Host> v) {
  return array(View<T, 2, Host>{v.data, {v.extent[0], 1}, 1});
}

/// Throws Error unless an array has the shape of the tensor into which it goes; of a vector, its number of elements.
template <class Real, int Rank>
void check_fits(const char* what, const Array<Real>& a, View<Real, Rank, Host> v) {
  const std::array<std::size_t, 2> shape{a.shape(0), a.shape(1)};
  bool fits = a.size() == v.extent[0];
  if constexpr (Rank == 2) fits = shape == v.extent;
  if (!fits) {
    fail(std::string(what) + ": the array has shape " + shape_text(shape) + ", the tensor into which it goes " +
         shape_text(v.extent));
  }
}

/// v = a, element by element. Neither this nor `add_to` broadcasts: shapes that differ are an Error.
template <class Real>
void store(View<Real, 2, Host> v, const Array<Real>& a) {
  check_fits("store", a, v);
  for (std::size_t i = 0; i < v.extent[0]; ++i) std::copy_n(a.data() + i * v.extent[1], v.extent[1], v.row(i));
}
template <class Real>
void store(View<Real, 1, Host> v, const Array<Real>& a) {
  check_fits("store", a, v);
  std::copy_n(a.data(), v.extent[0], v.data);
}

/// v = v + a
template <class Real>
void add_to(View<Real, 2, Host> v, const Array<Real>& a) {
  check_fits("add_to", a, v);
  for (std::size_t i = 0; i < v.extent[0]; ++i) {
    for (std::size_t j = 0; j < v.extent[1]; ++j) v.row(i)[j] += a(i, j);
  }
}
template <class Real>
void add_to(View<Real, 1, Host> v, const Array<Real>& a) {
  check_fits("add_to", a, v);
  for (std::size_t i = 0; i < v.extent[0]; ++i) v.data[i] += a.data()[i];
}

/// sum over each row: (n, m) -> (n, 1)
template <class Real>
Array<Real> row_sum(const Array<Real>& x) {
  if (x.size() == 0) return xt::zeros<Real>({x.shape(0), std::size_t{1}});
  return xt::sum(x, {1}, xt::keep_dims | xt::evaluation_strategy::immediate);
}

/// mean of each row: (n, m) -> (n, 1)
template <class Real>
Array<Real> row_mean(const Array<Real>& x) {
  return row_sum<Real>(x) / Real(static_cast<double>(x.shape(1)));
}

/// largest element of each row: (n, m) -> (n, 1)
template <class Real>
Array<Real> row_max(const Array<Real>& x) {
  if (x.size() == 0) return xt::zeros<Real>({x.shape(0), std::size_t{1}});
  return xt::amax(x, {1}, xt::keep_dims | xt::evaluation_strategy::immediate);
}

/// sum over all rows: (n, m) -> (1, m)
template <class Real>
Array<Real> sum_rows(const Array<Real>& x) {
  if (x.size() == 0) return xt::zeros<Real>({std::size_t{1}, x.shape(1)});
  return xt::sum(x, {0}, xt::keep_dims | xt::evaluation_strategy::immediate);
}

/// x transposed, as a copy: (n, m) -> (m, n)
template <class Real>
Array<Real> transposed(const Array<Real>& x) {
  auto t = empty<Real>(x.shape(1), x.shape(0));
  for (std::size_t i = 0; i < x.shape(0); ++i) {
    for (std::size_t j = 0; j < x.shape(1); ++j) t(j, i) = x(i, j);
  }
  return t;
}

/// a b, the matrix product: (n, k) (k, m) -> (n, m). Defined in ops/gemm_reference.cpp.
template <class Real>
Array<Real> product(const Array<Real>& a, const Array<Real>& b);

}  // namespace gradus
