#pragma once
/// \file
/// Ids to vectors. Sizes: N rows (tokens), D model width, Vocab words.

#include <cmath>
#include <cstdint>

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

struct LookupOptions {
  double scale = 1;  ///< the paper's model multiplies by sqrt(D): see embedding_scale
  /// The id of no word: its vector is zero and is never learnt. -1: there is no such id.
  std::int32_t padding = 0;
};

/// \defgroup lookup lookup
/// computes  y[n] = scale table[ids[n]],  and y[n] = 0 where ids[n] is the padding id            (eq:1.1)
///           and backward  dtable[ids[n]] += scale dy[n]  for every n that is no padding         (eq:1.3)
///           (Vaswani et al. 2017, section 3.4).
/// requires  y, dy (N, D), ids (N), table, dtable (Vocab, D), each id in [0, Vocab), else Error. On a GPU,
///           whose host cannot read ids, a row with another id is NaN, and its gradient is dropped.
/// ensures   y is overwritten, dtable is added to: a word that occurs twice gets both gradients, a word that does
///           not occur gets none. The gradient is summed in a fixed order, so its bits never change.
/// saves     nothing: backward gets the ids again.
/// @{
template <class Device, class Dev = Device>
using LookupForward = void(Device& dev, Out<Dev, 2> y, Ints<Dev, 1> ids, In<Dev, 2> table,
                           const LookupOptions& options);
template <class Real, class Dev = Reference<Real>>
LookupForward<Reference<Real>, Dev> lookup_forward;
template <class Real, class Dev = Cpu<Real>>
LookupForward<Cpu<Real>, Dev> lookup_forward;
template <class Real, class Dev = Cuda<Real>>
LookupForward<Cuda<Real>, Dev> lookup_forward;

template <class Device, class Dev = Device>
using LookupBackward = void(Device& dev, Acc<Dev, 2> dtable, In<Dev, 2> dy, Ints<Dev, 1> ids,
                            const LookupOptions& options);
template <class Real, class Dev = Reference<Real>>
LookupBackward<Reference<Real>, Dev> lookup_backward;
template <class Real, class Dev = Cpu<Real>>
LookupBackward<Cpu<Real>, Dev> lookup_backward;
template <class Real, class Dev = Cuda<Real>>
LookupBackward<Cuda<Real>, Dev> lookup_backward;
/// @}

/// sqrt(D): scales vectors that start with variance 1/D to the size of the position that is added to them. (eq:1.2)
inline double embedding_scale(std::size_t D) { return std::sqrt(static_cast<double>(D)); }

/// The check of both directions, the same on every device; `y` is dy in backward, `table` is dtable.
template <class Dev>
void check_lookup_shapes(In<Dev, 2> y, Ints<Dev, 1> ids, In<Dev, 2> table) {
  check_shape("lookup: y", y, {ids.extent[0], table.extent[1]});
}

/// The same, and the ids, on devices whose host can read them.
template <class Dev>
void check_lookup(In<Dev, 2> y, Ints<Dev, 1> ids, In<Dev, 2> table) {
  check_lookup_shapes<Dev>(y, ids, table);
  for (std::size_t n = 0; n < ids.extent[0]; ++n) {
    if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= table.extent[0]) {
      fail("lookup: id " + std::to_string(ids[n]) + " in row " + std::to_string(n) + " is no word of a table of " +
           std::to_string(table.extent[0]));
    }
  }
}

}  // namespace gradus
