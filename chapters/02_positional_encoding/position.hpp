#pragma once
/// \file
/// Adds to each row the encoding of its position. Sizes: B sentences, N rows, D model width, P positions.

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/segments.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// \defgroup position position
/// computes  y[n] = x[n] + positions[first[i] + j]  for row n = begin[i] + j of sentence i               (eq:2.2)
///           y[n] = x[n]  for rows that belong to no sentence;  backward  dx = dy                        (eq:2.5)
/// requires  x, y, dx, dy (N, D), N the rows of `sentences`, positions (P, D), first (B) or absent, which means
///           zeros, else Error. No sentence has a position outside the table, else Error; on a GPU, whose host
///           cannot read offsets, such a row is NaN. y may be x, dx may be dy.
/// ensures   y and dx are overwritten.
/// saves     nothing.
/// @{
template <class Device, class Dev = Device>
using PositionForward = void(Device& dev, Out<Dev, 2> y, In<Dev, 2> x, const Segments<Dev>& sentences,
                             Ints<Dev, 1> first, In<Dev, 2> positions);
template <class Real, class Dev = Reference<Real>>
PositionForward<Reference<Real>, Dev> position_forward;
template <class Real, class Dev = Cpu<Real>>
PositionForward<Cpu<Real>, Dev> position_forward;
template <class Real, class Dev = Cuda<Real>>
PositionForward<Cuda<Real>, Dev> position_forward;

template <class Device, class Dev = Device>
using PositionBackward = void(Device& dev, Out<Dev, 2> dx, In<Dev, 2> dy);
template <class Real, class Dev = Reference<Real>>
PositionBackward<Reference<Real>, Dev> position_backward;
template <class Real, class Dev = Cpu<Real>>
PositionBackward<Cpu<Real>, Dev> position_backward;
template <class Real, class Dev = Cuda<Real>>
PositionBackward<Cuda<Real>, Dev> position_backward;
/// @}

/// The position of the first row of sentence i.
inline std::int64_t first_position(View<const std::int32_t, 1, Host> first, std::size_t i) {
  return first ? first[i] : 0;
}

/// Checks that the rows and positions of sentence i exist.
inline void check_sentence(std::size_t i, std::int64_t begin, std::int64_t length, std::int64_t start,
                           std::size_t rows, std::size_t positions) {
  if (begin < 0 || length < 0 || begin + length > static_cast<std::int64_t>(rows)) {
    fail("position: sentence " + std::to_string(i) + " has " + std::to_string(length) + " rows from row " +
         std::to_string(begin) + " of " + std::to_string(rows));
  }
  const std::int64_t last = start + length - 1;
  if (length > 0 && (start < 0 || last >= static_cast<std::int64_t>(positions))) {
    fail("position: sentence " + std::to_string(i) + " reaches position " +
         std::to_string(start < 0 ? start : last) + ", but the table holds " + std::to_string(positions) +
         ": cut the sentence or make a longer table");
  }
}

/// The check of forward, the same on every device.
template <class Dev>
void check_position_shapes(Out<Dev, 2> y, In<Dev, 2> x, const Segments<Dev>& sentences, Ints<Dev, 1> first,
                           In<Dev, 2> positions) {
  check_shape("position: y", y, x.extent);
  check_shape("position: x", x, {sentences.rows, positions.extent[1]});
  check_optional("position: first", first, {sentences.sentences()});
}

/// The same, and the offsets, on devices whose host can read them.
template <class Dev>
void check_position(Out<Dev, 2> y, In<Dev, 2> x, const Segments<Dev>& sentences, Ints<Dev, 1> first,
                    In<Dev, 2> positions) {
  check_position_shapes<Dev>(y, x, sentences, first, positions);
  for (std::size_t i = 0; i < sentences.sentences(); ++i) {
    check_sentence(i, sentences.begin[i], sentences.length[i], first_position(first, i), x.extent[0],
                   positions.extent[0]);
  }
}

}  // namespace gradus
