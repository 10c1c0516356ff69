#pragma once

#include <vector>

#include "10_training/loss/output_loss.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// The loss leaf has no dloss; the case puts it into inverse_tokens, which has the same effect.
struct OutputLossCase {
  std::size_t N = 6, D = 4, Vocab = 7;
  double smoothing = 0.1;
  double scale = 1;  ///< of x: large logits
  std::size_t spare = 2;
  bool bias = false;

  void describe(Description& d) const {
    d.component = bias ? "output_loss_bias" : smoothing > 0 ? "output_loss" : "output_loss_unsmoothed";
    d.used_rows = N > spare ? N - spare : 0;
    d.input("x", {N, D}).rowwise().scaled(scale);
    d.parameter("table", {Vocab, D});
    if (bias) d.parameter("bias", {Vocab});
    d.output("loss", {1});
    std::vector<std::int32_t> target;
    for (std::size_t n = 0; n < N; ++n) {
      const bool is_spare = d.used_rows != 0 && n >= d.used_rows;
      target.push_back(is_spare ? -1 : static_cast<std::int32_t>((5 * n + 3) % Vocab));
    }
    d.ints("target", target);
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    fill(dev, t.vector("loss"), 0);
    output_loss_value(dev, t.vector("loss"), t.matrix("x"), params<Dev>(t, ""), t.ints("target"), smoothing);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    const In<Dev, 1> dloss = t.d_vector("loss");
    check_shape("output_loss: dloss", dloss, {1});  // read here, not by the leaf
    std::vector<typename Dev::Real> factor;
    read(dev, factor, dloss);
    const StepState before = dev.state;
    StepState scaled = before;
    scaled.inverse_tokens *= static_cast<double>(factor[0]);
    dev.set(scaled);
    Scratch<Dev> scope(dev);
    const auto loss = dev.scratch.vector(1);
    fill(dev, loss, 0);
    output_loss(dev, loss, t.d_matrix("x"), params<Dev>(t, "d"), t.matrix("x"), params<Dev>(t, ""),
                t.ints("target"), smoothing);
    dev.set(before);
  }

 private:
  template <class Dev>
  OutputParams<Dev> params(Tensors<Dev>& t, const std::string& d) const {
    return {t.matrix(d + "table"), bias ? t.vector(d + "bias") : Out<Dev, 1>{}};
  }
};

}  // namespace gradus::test
