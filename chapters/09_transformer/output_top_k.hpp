#pragma once
/// \file
/// From the decoder's rows to the K most probable next words. Sizes: N rows, D model width, Vocab words, K results.

#include "09_transformer/log_probs_top_k.hpp"
#include "09_transformer/output_map.hpp"
#include "gradus/memory/workspace.hpp"

namespace gradus {

/// \defgroup output_top_k output_top_k
/// computes  z = output_forward(x), the logits (eq:9.3), and of each row the K largest log probabilities (eq:9.5);
///           the composition below. It is a fused leaf: Cpu overloads it with one pass that never writes the logits.
/// requires  x (N, D), parameters as BasicOutputParams says, scores (N, K), ids (N, K), 1 <= K <= Vocab, else Error.
/// ensures   scores and ids are overwritten, as log_probs_top_k says. A row of the result does not depend on the
///           other rows of x. It is the same with and without p.panels, on Cpu to the bit. A Cpu that uses 8-bit
///           weights takes them for the table, if they have it.
/// saves     nothing; decoding has no backward.
/// @{
template <class Dev>
void output_top_k(Dev& dev, Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> x, const OutputParams<Dev>& p) {
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> logits = dev.scratch.matrix(x.extent[0], p.table.extent[0]);  // (N, Vocab)
  output_forward(dev, logits, x, p);
  log_probs_top_k(dev, scores, ids, logits);
}

template <class Real, class Dev = Cpu<Real>>
void output_top_k(Cpu<Real>& dev, Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> x,
                  const OutputParams<Dev>& p);

/// A copy of p.table, in `memory`, in the order in which the device's output_top_k reads it; absent if the device
/// has no such order. For p.panels, while the table does not change.
template <class Dev>
In<Dev, 2> output_panels(Dev&, Workspace<typename Dev::Real, typename Dev::Space>&, const OutputParams<Dev>&) {
  return {};
}
template <class Real, class Dev = Cpu<Real>>
In<Dev, 2> output_panels(Cpu<Real>& dev, Workspace<Real, Host>& memory, const OutputParams<Dev>& p);

/// Gives p its panels unless it has them, for an output layer that does not change any more.
template <class Dev>
void keep_panels(Dev& dev, Workspace<typename Dev::Real, typename Dev::Space>& memory, OutputParams<Dev>& p) {
  if (!p.panels) p.panels = output_panels(dev, memory, p);
}
/// @}

}  // namespace gradus
