#pragma once
/// \file
/// Wrong losses, alone and inside the whole model.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "10_training/loss/output_loss.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ops/gemm.hpp"

namespace gradus::wrong {

// Twins of the loss. Each is wrong in both of its functions in the same way, like a misread formula.

template <class Base>
std::size_t targets_of(Ints<Base, 1> target) {
  return static_cast<std::size_t>(
      std::count_if(target.data, target.data + target.extent[0], [](auto t) { return t >= 0; }));
}

/// Runs `f` with `inverse_tokens` as the device's 1 / tokens.
template <class Base, class F>
void with_inverse_tokens(Base& dev, double inverse_tokens, F&& f) {
  const StepState before = dev.state;
  StepState other = before;
  other.inverse_tokens = inverse_tokens;
  dev.set(other);
  f();
  dev.set(before);
}

/// Spreads the smoothing over the other words only: the target keeps 1 - smoothing, no more.
/// twin: smoothing-over-others 10_training own golden -finite-differences -dual-numbers -parity
template <class Base>
struct SmoothingOverOthers : Base {
  static inline int calls = 0;
  static double smoothing(double s, std::size_t vocab) { return s * double(vocab) / double(vocab - 1); }
};
/// Has the option and never reads it.
/// twin: smoothing-forgotten 10_training tutorial golden parity dual-numbers -finite-differences
template <class Base>
struct SmoothingForgotten : Base {
  static inline int calls = 0;
  static double smoothing(double, std::size_t) { return 0; }
};
template <class Twin, class Base>
void other_smoothing(Twin& dev, Base& base, Acc<Base, 1> loss, In<Base, 2> x, const OutputParams<Base>& p,
                     Ints<Base, 1> target, double smoothing) {
  ++dev.calls;
  gradus::output_loss_value(base, loss, x, p, target, dev.smoothing(smoothing, p.table.extent[0]));
}
template <class Base>
void output_loss_value(SmoothingOverOthers<Base>& dev, Acc<Base, 1> loss, In<Base, 2> x,
                       const OutputParams<Base>& p, Ints<Base, 1> target, double smoothing) {
  other_smoothing<SmoothingOverOthers<Base>, Base>(dev, dev, loss, x, p, target, smoothing);
}
template <class Base>
void output_loss_value(SmoothingForgotten<Base>& dev, Acc<Base, 1> loss, In<Base, 2> x, const OutputParams<Base>& p,
                       Ints<Base, 1> target, double smoothing) {
  other_smoothing<SmoothingForgotten<Base>, Base>(dev, dev, loss, x, p, target, smoothing);
}
template <class Base>
void output_loss(SmoothingOverOthers<Base>& dev, Acc<Base, 1> loss, Out<Base, 2> dx, const OutputParams<Base>& dp,
                 In<Base, 2> x, const OutputParams<Base>& p, Ints<Base, 1> target, double smoothing) {
  gradus::output_loss(static_cast<Base&>(dev), loss, dx, dp, x, p, target,
                      dev.smoothing(smoothing, p.table.extent[0]));
}
template <class Base>
void output_loss(SmoothingForgotten<Base>& dev, Acc<Base, 1> loss, Out<Base, 2> dx, const OutputParams<Base>& dp,
                 In<Base, 2> x, const OutputParams<Base>& p, Ints<Base, 1> target, double) {
  gradus::output_loss(static_cast<Base&>(dev), loss, dx, dp, x, p, target, 0);
}

/// Counts rows without a target as if <pad> were their target.
/// twin: padding-counted 10_training tutorial golden parity dual-numbers -finite-differences
template <class Base>
struct PaddingCounted : Base {
  static inline int calls = 0;
};
template <class Base>
std::vector<std::int32_t> with_padding(Ints<Base, 1> target) {
  std::vector<std::int32_t> padded(target.data, target.data + target.extent[0]);
  std::replace_if(
      padded.begin(), padded.end(), [](auto t) { return t < 0; }, 0);
  return padded;
}
template <class Base>
void output_loss_value(PaddingCounted<Base>& dev, Acc<Base, 1> loss, In<Base, 2> x, const OutputParams<Base>& p,
                       Ints<Base, 1> target, double smoothing) {
  ++dev.calls;
  const auto padded = with_padding<Base>(target);
  const Ints<Base, 1> all{padded.data(), {padded.size()}, padded.size()};
  gradus::output_loss_value(static_cast<Base&>(dev), loss, x, p, all, smoothing);
}
template <class Base>
void output_loss(PaddingCounted<Base>& dev, Acc<Base, 1> loss, Out<Base, 2> dx, const OutputParams<Base>& dp,
                 In<Base, 2> x, const OutputParams<Base>& p, Ints<Base, 1> target, double smoothing) {
  const auto padded = with_padding<Base>(target);
  const Ints<Base, 1> all{padded.data(), {padded.size()}, padded.size()};
  gradus::output_loss(static_cast<Base&>(dev), loss, dx, dp, x, p, all, smoothing);
}

/// Sums over the tokens and does not divide, so the size of a step grows with the length of sentences.
/// twin: loss-summed 10_training tutorial golden parity dual-numbers -finite-differences
template <class Base>
struct LossSummed : Base {
  static inline int calls = 0;
};
template <class Base>
void output_loss_value(LossSummed<Base>& dev, Acc<Base, 1> loss, In<Base, 2> x, const OutputParams<Base>& p,
                       Ints<Base, 1> target, double smoothing) {
  ++dev.calls;
  with_inverse_tokens<Base>(dev, dev.state.inverse_tokens * double(targets_of<Base>(target)), [&] {
    gradus::output_loss_value(static_cast<Base&>(dev), loss, x, p, target, smoothing);
  });
}
template <class Base>
void output_loss(LossSummed<Base>& dev, Acc<Base, 1> loss, Out<Base, 2> dx, const OutputParams<Base>& dp,
                 In<Base, 2> x, const OutputParams<Base>& p, Ints<Base, 1> target, double smoothing) {
  with_inverse_tokens<Base>(dev, dev.state.inverse_tokens * double(targets_of<Base>(target)), [&] {
    gradus::output_loss(static_cast<Base&>(dev), loss, dx, dp, x, p, target, smoothing);
  });
}

/// Divides by the tokens of its own micro-batch: words of short micro-batches get more weight, and M changes the
/// result.
/// twin: mean-per-micro-batch 10_training own golden parity
template <class Base>
struct MeanPerMicroBatch : Base {
  static inline int calls = 0;
};
template <class Base>
void output_loss(MeanPerMicroBatch<Base>& dev, Acc<Base, 1> loss, Out<Base, 2> dx, const OutputParams<Base>& dp,
                 In<Base, 2> x, const OutputParams<Base>& p, Ints<Base, 1> target, double smoothing) {
  ++dev.calls;
  with_inverse_tokens<Base>(dev, 1.0 / double(std::max<std::size_t>(1, targets_of<Base>(target))), [&] {
    gradus::output_loss(static_cast<Base&>(dev), loss, dx, dp, x, p, target, smoothing);
  });
}

/// The gradient of the table overwrites the existing one, which is lost with tied tables or a second micro-batch.
/// twin: table-gradient-overwritten 10_training own contract -finite-differences -dual-numbers
template <class Base>
struct TableGradientOverwritten : Base {
  static inline int calls = 0;
};
template <class Base>
void output_loss(TableGradientOverwritten<Base>& dev, Acc<Base, 1> loss, Out<Base, 2> dx,
                 const OutputParams<Base>& dp, In<Base, 2> x, const OutputParams<Base>& p, Ints<Base, 1> target,
                 double smoothing) {
  ++dev.calls;
  fill(dev, dp.table, 0);
  gradus::output_loss(static_cast<Base&>(dev), loss, dx, dp, x, p, target, smoothing);
}

/// Cross-entropy with its own softmax over the logits z: `over` decides which logits share a sum. Writes dz over z.
template <class Base, class Over>
double own_cross_entropy(Out<Base, 2> z, Ints<Base, 1> target, double smoothing, double factor, Over&& over) {
  const std::size_t N = z.extent[0], vocab = z.extent[1];
  double loss = 0;
  const std::vector<double> logits(z.data, z.data + N * vocab);
  for (std::size_t n = 0; n < N; ++n) {
    for (std::size_t v = 0; v < vocab; ++v) {
      const auto q = [&](std::size_t m) {
        return target[m] < 0 ? 0.0 : smoothing / double(vocab) + (1 - smoothing) * (std::size_t(target[m]) == v);
      };
      const auto [sum, q_sum] = over(logits, q, n, v);
      loss -= target[n] < 0 ? 0.0 : factor * q(n) * (logits[n * vocab + v] - std::log(sum));
      z.row(n)[v] = target[n] < 0 ? 0.0 : factor * (std::exp(logits[n * vocab + v]) / sum * q_sum - q(n));
    }
  }
  return loss;
}
template <class Base, class Over>
void own_loss(Base& dev, Acc<Base, 1> loss, Out<Base, 2> dx, const OutputParams<Base>& dp, In<Base, 2> x,
              const OutputParams<Base>& p, Ints<Base, 1> target, double smoothing, Over&& over) {
  Scratch<Base> scope(dev);
  const Out<Base, 2> z = dev.scratch.matrix(x.extent[0], p.table.extent[0]);
  output_forward(dev, z, x, p);
  loss[0] += own_cross_entropy<Base>(z, target, smoothing, dev.state.inverse_tokens, over);
  if (!dx) return;
  output_backward(dev, dx, dp, z, x, p);
}

/// exp of the logits without subtracting the maximum. Right until they are large.
template <class Base>
struct LossWithoutMaximum : Base {
  static inline int calls = 0;
  static auto over(std::size_t vocab, Ints<Base, 1>) {
    return [=](const std::vector<double>& z, auto&&, std::size_t n, std::size_t) {
      double sum = 0;
      for (std::size_t v = 0; v < vocab; ++v) sum += std::exp(z[n * vocab + v]);
      return std::pair{sum, 1.0};
    };
  }
};
/// Softmax along the wrong axis: the positions share one probability for each word, instead of the words for each position.
/// twin: loss-over-positions 10_training tutorial golden parity dual-numbers -finite-differences
template <class Base>
struct LossOverPositions : Base {
  static inline int calls = 0;
  static auto over(std::size_t vocab, Ints<Base, 1> target) {
    std::vector<std::pair<double, double>> sums(vocab, {-1, 0});  // of each word, once: all positions share it
    return [=](const std::vector<double>& z, auto&& q, std::size_t, std::size_t v) mutable {
      auto& [sum, q_sum] = sums[v];
      if (sum >= 0) return sums[v];
      sum = 0;
      for (std::size_t m = 0; m < target.extent[0]; ++m) {
        if (target[m] >= 0) sum += std::exp(z[m * vocab + v]), q_sum += q(m);
      }
      return sums[v];
    };
  }
};
template <class Base>
void output_loss_value(LossWithoutMaximum<Base>& dev, Acc<Base, 1> loss, In<Base, 2> x, const OutputParams<Base>& p,
                       Ints<Base, 1> target, double smoothing) {
  ++dev.calls;
  own_loss<Base>(dev, loss, {}, {}, x, p, target, smoothing, dev.over(p.table.extent[0], target));
}
template <class Base>
void output_loss(LossWithoutMaximum<Base>& dev, Acc<Base, 1> loss, Out<Base, 2> dx, const OutputParams<Base>& dp,
                 In<Base, 2> x, const OutputParams<Base>& p, Ints<Base, 1> target, double smoothing) {
  own_loss<Base>(dev, loss, dx, dp, x, p, target, smoothing, dev.over(p.table.extent[0], target));
}
template <class Base>
void output_loss_value(LossOverPositions<Base>& dev, Acc<Base, 1> loss, In<Base, 2> x, const OutputParams<Base>& p,
                       Ints<Base, 1> target, double smoothing) {
  ++dev.calls;
  own_loss<Base>(dev, loss, {}, {}, x, p, target, smoothing, dev.over(p.table.extent[0], target));
}
template <class Base>
void output_loss(LossOverPositions<Base>& dev, Acc<Base, 1> loss, Out<Base, 2> dx, const OutputParams<Base>& dp,
                 In<Base, 2> x, const OutputParams<Base>& p, Ints<Base, 1> target, double smoothing) {
  own_loss<Base>(dev, loss, dx, dp, x, p, target, smoothing, dev.over(p.table.extent[0], target));
}

}  // namespace gradus::wrong
