#pragma once
/// \file
/// How a leaf checks shapes at its border: one call for each tensor, both shapes in the message.

#include <array>
#include <cstddef>
#include <string>

#include "gradus/tensor/view.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

/// "(3, 4)".
template <std::size_t Rank>
std::string shape_text(const std::array<std::size_t, Rank>& extent) {
  std::string text = "(";
  for (std::size_t i = 0; i < Rank; ++i) text += (i ? ", " : "") + std::to_string(extent[i]);
  return text + ")";
}

/// Throws Error unless `view` has the extents `expected`. `what` names leaf and tensor: "linear: w".
template <class T, int Rank, class Space>
void check_shape(const char* what, View<T, Rank, Space> view, typename View<T, Rank, Space>::Extent expected) {
  if (view.extent != expected) {
    fail(std::string(what) + " has shape " + shape_text(view.extent) + ", expected " + shape_text(expected));
  }
}

/// The same for a tensor that may be absent.
template <class T, int Rank, class Space>
void check_optional(const char* what, View<T, Rank, Space> view, typename View<T, Rank, Space>::Extent expected) {
  if (view) check_shape(what, view, expected);
}

}  // namespace gradus
