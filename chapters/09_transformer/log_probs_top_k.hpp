#pragma once
/// \file
/// The K most probable next words. Sizes: N rows, Vocab words, K results.

#include <string>

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// \defgroup log_probs_top_k log_probs_top_k
/// computes  log p = z - m - log sum exp(z - m),  m = max z, row by row over the vocabulary               (eq:9.5)
///           and of each row the K largest, in descending order: scores their log p, ids their columns.
/// requires  logits z (N, Vocab), scores (N, K), ids (N, K), 1 <= K <= Vocab, else Error.
/// ensures   scores and ids are overwritten; of equal logits the smaller id comes first, so that every device and
///           every search gives the same answer. A logit of minus infinity is never chosen before another one.
/// saves     nothing; decoding has no backward.
/// @{
template <class Device, class Dev = Device>
using LogProbsTopK = void(Device& dev, Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> logits);
template <class Real, class Dev = Reference<Real>>
LogProbsTopK<Reference<Real>, Dev> log_probs_top_k;
template <class Real, class Dev = Cpu<Real>>
LogProbsTopK<Cpu<Real>, Dev> log_probs_top_k;
template <class Real, class Dev = Cuda<Real>>
LogProbsTopK<Cuda<Real>, Dev> log_probs_top_k;
/// @}

/// The check, the same on every device.
template <class Dev>
void check_log_probs_top_k(Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> logits) {
  const auto [N, K] = scores.extent;
  check_shape("log_probs_top_k: logits", logits, {N, logits.extent[1]});
  check_shape("log_probs_top_k: ids", ids, {N, K});
  if (K < 1 || K > logits.extent[1]) {
    fail("log_probs_top_k: the best " + std::to_string(K) + " of " + std::to_string(logits.extent[1]) +
         " words are asked for");
  }
}

}  // namespace gradus
