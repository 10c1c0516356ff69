#pragma once
/// \file
/// The output layer and its loss in one leaf. Sizes: N rows, D model width, Vocab words.

#include <string>

#include "09_transformer/output_map.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

/// \defgroup output_loss output_loss
/// computes  z = x table^T + bias, the logits, and for each row with a target t >= 0 the label-smoothed cross-entropy
///           (Szegedy et al. 2016; Vaswani et al. 2017, section 5.4)
///               l = log sum exp z - (1 - smoothing) z_t - smoothing mean z                           (eq:10.1)
///           with gradient  dz = softmax(z) - q,  q = (1 - smoothing) onehot(t) + smoothing / Vocab   (eq:10.2)
///           and from it    dx = dz table,  dtable += dz^T x,  dbias += column sums of dz.            (eq:10.3)
///           Loss and gradients are multiplied by the device's inverse_tokens, which makes the loss of all
///           micro-batches together the mean over the batch's target tokens.
/// requires  x, dx (N, D), p and dp as BasicOutputParams says, target (N) with values < Vocab, loss (1);
///           0 <= smoothing < 1; else Error. A negative target is a spare row: no loss and no gradient. (Cuda throws
///           for shapes only: a target that is no word makes its row's loss and gradient NaN, which adam refuses.)
/// ensures   loss and dp are added to, dx is overwritten (0 in spare rows). Logits exist for one chunk of rows.
/// saves     nothing. It is the end of forward and the start of backward, so one function does both in one pass;
///           output_loss_value computes the loss alone.
/// @{
template <class Device, class Dev = Device>
using OutputLoss = void(Device& dev, Acc<Dev, 1> loss, Out<Dev, 2> dx, const OutputParams<Dev>& dp, In<Dev, 2> x,
                        const OutputParams<Dev>& p, Ints<Dev, 1> target, double smoothing);
template <class Real, class Dev = Reference<Real>>
OutputLoss<Reference<Real>, Dev> output_loss;
template <class Real, class Dev = Cpu<Real>>
OutputLoss<Cpu<Real>, Dev> output_loss;
template <class Real, class Dev = Cuda<Real>>
OutputLoss<Cuda<Real>, Dev> output_loss;

template <class Device, class Dev = Device>
using OutputLossValue = void(Device& dev, Acc<Dev, 1> loss, In<Dev, 2> x, const OutputParams<Dev>& p,
                             Ints<Dev, 1> target, double smoothing);
template <class Real, class Dev = Reference<Real>>
OutputLossValue<Reference<Real>, Dev> output_loss_value;
template <class Real, class Dev = Cpu<Real>>
OutputLossValue<Cpu<Real>, Dev> output_loss_value;
template <class Real, class Dev = Cuda<Real>>
OutputLossValue<Cuda<Real>, Dev> output_loss_value;
/// @}

/// The check of both, the same on every device.
template <class Dev>
void check_output_loss(Acc<Dev, 1> loss, In<Dev, 2> x, const OutputParams<Dev>& p, Ints<Dev, 1> target,
                       double smoothing) {
  check_shape("output_loss: loss", loss, {1});
  check_output_params<Dev>(x, p);
  check_shape("output_loss: target", target, {x.extent[0]});
  if (!(smoothing >= 0 && smoothing < 1))
    fail("output_loss: smoothing " + std::to_string(smoothing) + " is not in [0, 1)");
}

/// Targets are data, so the devices of the processor check them while reading them.
inline void check_target(std::int32_t target, std::size_t vocab) {
  if (target >= 0 && static_cast<std::size_t>(target) >= vocab) {
    fail("output_loss: target " + std::to_string(target) + " is not a word of " + std::to_string(vocab));
  }
}

}  // namespace gradus
