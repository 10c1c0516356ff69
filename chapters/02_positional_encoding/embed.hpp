#pragma once
/// \file
/// The input of both halves of the model: ids to vectors with positions, with dropout.

#include "00_foundations/dropout.hpp"
#include "01_embedding/lookup.hpp"
#include "02_positional_encoding/position.hpp"
#include "gradus/memory/workspace.hpp"

namespace gradus {

struct EmbedOptions {
  LookupOptions lookup;
  Dropout dropout;
};

/// \defgroup embed embed
/// computes  y = dropout(lookup(ids) + position)                                                     (eq:2.3)
///           (Vaswani et al. 2017, sections 3.4 and 3.5; dropout on the sum: section 5.4)
///           the composition below. It is a fused leaf: a device may overload it with one pass.
/// requires  y, dy (N, D), ids (N), N the rows of `sentences`, first (B) or absent, table, dtable (Vocab, D),
///           positions (P, D); the requirements of lookup, position and dropout; else Error.
/// ensures   y is overwritten, dtable is added to.
/// saves     nothing: backward draws the dropout mask again.
/// @{
template <class Dev>
void embed_forward(Dev& dev, Out<Dev, 2> y, Ints<Dev, 1> ids, const Segments<Dev>& sentences, Ints<Dev, 1> first,
                   In<Dev, 2> table, In<Dev, 2> positions, const EmbedOptions& options) {
  lookup_forward(dev, y, ids, table, options.lookup);
  position_forward(dev, y, y, sentences, first, positions);
  dropout_forward(dev, y, y, options.dropout);
}

template <class Dev>
void embed_backward(Dev& dev, Acc<Dev, 2> dtable, In<Dev, 2> dy, Ints<Dev, 1> ids, const EmbedOptions& options) {
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> dx = dev.scratch.matrix(dy.extent[0], dy.extent[1]);  // (N, D)
  dropout_backward(dev, dx, dy, options.dropout);
  position_backward(dev, dx, dx);
  lookup_backward(dev, dtable, dx, ids, options.lookup);
}

template <class Device, class Dev = Device>
using EmbedForward = void(Device& dev, Out<Dev, 2> y, Ints<Dev, 1> ids, const Segments<Dev>& sentences,
                          Ints<Dev, 1> first, In<Dev, 2> table, In<Dev, 2> positions, const EmbedOptions& options);
template <class Real, class Dev = Cpu<Real>>
EmbedForward<Cpu<Real>, Dev> embed_forward;
template <class Real, class Dev = Cuda<Real>>
EmbedForward<Cuda<Real>, Dev> embed_forward;
template <class Device, class Dev = Device>
using EmbedBackward = void(Device& dev, Acc<Dev, 2> dtable, In<Dev, 2> dy, Ints<Dev, 1> ids,
                           const EmbedOptions& options);
template <class Real, class Dev = Cpu<Real>>
EmbedBackward<Cpu<Real>, Dev> embed_backward;
template <class Real, class Dev = Cuda<Real>>
EmbedBackward<Cuda<Real>, Dev> embed_backward;
/// @}

}  // namespace gradus
