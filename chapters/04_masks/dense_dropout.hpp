#pragma once
/// \file
/// Dropout on the weights of a dense batch. Sizes: B sentences, H heads, T queries, S keys.

#include "00_foundations/dropout.hpp"
#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// The places of a dense batch's words among the real tokens; -1 for padding.
template <class Space>
struct BasicPacking {
  View<const std::int32_t, 2, Space> query_row;     ///< (B, T): number of the query among all real tokens
  View<const std::int32_t, 2, Space> key_position;  ///< (B, S): position of the key in its sentence
};
template <class Dev>
using Packing = BasicPacking<typename Dev::Space>;

/// \defgroup dense_dropout dropout of dense weights
/// computes  y = m x,  backward  dx = m dy,  with the mask that chapter 03 draws for these tokens: row =
///           packing.query_row, column = packing.key_position, so padding changes no draw              (eq:4.4)
/// requires  x, y, dx, dy (B, H, T, S), query_row (B, T), key_position (B, S), each below S; 0 <= rate < 1, else
///           Error (Cuda cannot check positions: for a wrong one it draws another m). y may be x, dx may be dy.
/// ensures   y and dx are overwritten. m is 1 where query or key is padding; the mask of softmax hides padding.
/// saves     nothing: backward draws m again.
/// @{
template <class Device, class Dev = Device>
using DenseDropoutForward = void(Device& dev, Out<Dev, 4> y, In<Dev, 4> x, const Packing<Dev>& packing,
                                 const Dropout& dropout);
template <class Real, class Dev = Reference<Real>>
DenseDropoutForward<Reference<Real>, Dev> dense_dropout_forward;
template <class Real, class Dev = Cpu<Real>>
DenseDropoutForward<Cpu<Real>, Dev> dense_dropout_forward;
template <class Real, class Dev = Cuda<Real>>
DenseDropoutForward<Cuda<Real>, Dev> dense_dropout_forward;

template <class Device, class Dev = Device>
using DenseDropoutBackward = void(Device& dev, Out<Dev, 4> dx, In<Dev, 4> dy, const Packing<Dev>& packing,
                                  const Dropout& dropout);
template <class Real, class Dev = Reference<Real>>
DenseDropoutBackward<Reference<Real>, Dev> dense_dropout_backward;
template <class Real, class Dev = Cpu<Real>>
DenseDropoutBackward<Cpu<Real>, Dev> dense_dropout_backward;
template <class Real, class Dev = Cuda<Real>>
DenseDropoutBackward<Cuda<Real>, Dev> dense_dropout_backward;
/// @}

/// The check of forward and backward, the same on every device.
template <class Dev>
void check_dense_dropout_shapes(In<Dev, 4> y, In<Dev, 4> x, const Packing<Dev>& packing, const Dropout& dropout) {
  check_shape("dense_dropout: y", y, x.extent);
  check_shape("dense_dropout: query_row", packing.query_row, {x.extent[0], x.extent[2]});
  check_shape("dense_dropout: key_position", packing.key_position, {x.extent[0], x.extent[3]});
  check_rate(dropout);
}

/// The same, and the positions, for the devices whose memory the host can read.
template <class Dev>
void check_dense_dropout(In<Dev, 4> y, In<Dev, 4> x, const Packing<Dev>& packing, const Dropout& dropout) {
  check_dense_dropout_shapes<Dev>(y, x, packing, dropout);
  for (std::size_t b = 0; b < x.extent[0]; ++b) {
    for (std::size_t s = 0; s < x.extent[3]; ++s) {
      const std::int32_t position = packing.key_position.row(b)[s];
      if (position >= static_cast<std::int64_t>(x.extent[3])) {
        fail("dense_dropout: key " + std::to_string(s) + " of sentence " + std::to_string(b) + " has position " +
             std::to_string(position) + ", but there are " + std::to_string(x.extent[3]) + " keys");
      }
    }
  }
}

}  // namespace gradus
