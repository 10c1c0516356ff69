#pragma once
/// \file
/// Views, the form in which every tensor is passed. A view does not own its memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gradus/util/error.hpp"

namespace gradus {

/// The memory of this machine's processor. A GPU's memory is another type, so code that mixes them does not
/// compile.
struct Host {};

/// A tensor in memory: a pointer, extents, and the distance between rows. The last axis is contiguous. A view of
/// rank 3 or 4 is a stack of such matrices without gaps between them. An empty view means an absent tensor.
template <class T, int Rank, class Space>
struct View {
  using Extent = std::array<std::size_t, Rank>;

  T* data = nullptr;
  Extent extent{};
  std::size_t stride = 0;  ///< leading dimension: elements from one row to the next

  constexpr T* row(std::size_t i) const { return data + i * stride; }
  constexpr T& operator[](std::size_t i) const { return data[i]; }
  constexpr explicit operator bool() const { return data != nullptr; }

  /// A writable view converts to a read-only one.
  template <class U, class = std::enable_if_t<std::is_same_v<U, const T> && !std::is_const_v<T>>>
  constexpr operator View<U, Rank, Space>() const {
    return {data, extent, stride};
  }
};

/// The three roles of a tensor in an argument list; `Dev` fixes its scalar and its memory. The contract judge
/// checks that each function treats its tensors as their aliases say.
template <class Dev, int Rank>
using Out = View<typename Dev::Real, Rank, typename Dev::Space>;  ///< overwritten, whatever it held before
template <class Dev, int Rank>
using Acc = View<typename Dev::Real, Rank, typename Dev::Space>;  ///< added to
template <class Dev, int Rank>
using In = View<const typename Dev::Real, Rank, typename Dev::Space>;  ///< read
template <class Dev, int Rank>
using Ints = View<const std::int32_t, Rank, typename Dev::Space>;  ///< ids and positions, read
template <class Dev, int Rank>
using OutInts = View<std::int32_t, Rank, typename Dev::Space>;  ///< ids and positions, overwritten

/// Rows first .. first + count - 1 of a matrix. A part of an absent tensor is absent; the same holds for the
/// functions below.
template <class T, class Space>
constexpr View<T, 2, Space> rows(View<T, 2, Space> v, std::size_t first, std::size_t count) {
  return {v ? v.row(first) : nullptr, {count, v.extent[1]}, v.stride};
}

/// Columns first .. first + count - 1 of a matrix: same rows, same distance between them.
template <class T, class Space>
constexpr View<T, 2, Space> columns(View<T, 2, Space> v, std::size_t first, std::size_t count) {
  return {v ? v.data + first : nullptr, {v.extent[0], count}, v.stride};
}

/// Elements first .. first + count - 1 of a vector.
template <class T, class Space>
constexpr View<T, 1, Space> slice(View<T, 1, Space> v, std::size_t first, std::size_t count) {
  return {v ? v.data + first : nullptr, {count}, count};
}

/// A vector of rows x columns elements seen as a matrix.
template <class T, class Space>
constexpr View<T, 2, Space> as_matrix(View<T, 1, Space> v, std::size_t row_count, std::size_t column_count) {
  return {v.data, {row_count, column_count}, column_count};
}

/// A matrix seen as one vector. Error if there are gaps between its rows.
template <class T, class Space>
constexpr View<T, 1, Space> as_vector(View<T, 2, Space> v) {
  if (v.extent[0] > 1 && v.stride != v.extent[1]) fail("a matrix with gaps between its rows is no vector");
  return {v.data, {v.extent[0] * v.extent[1]}, v.extent[0] * v.extent[1]};
}

}  // namespace gradus
