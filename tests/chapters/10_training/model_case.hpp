#pragma once

#include "10_training/loss/output_loss.hpp"
#include "chapters/09_transformer/transformer_case.hpp"

namespace gradus::test {

/// The whole model with its loss, as in training. Dropout, smoothing, repeated words, empty sentences and spare
/// rows, as in chapter 09's case; the loss takes dloss from inverse_tokens, as in OutputLossCase.
struct ModelCase {
  TransformerCase model{small_model(Norm::pre, Tying::all)};
  double smoothing = 0.1;
  std::string name = "model";

  std::vector<std::int32_t> target() const {
    const std::size_t used = TwoSides::rows(model.sides.targets);
    std::vector<std::int32_t> result(model.sides.Nt(), -1);
    for (std::size_t n = 0; n < used; ++n) {
      result[n] = static_cast<std::int32_t>((3 + 2 * n) % model.config.target_vocab);
    }
    return result;
  }

  void describe(Description& d) const {
    d.component = name;
    model.sides.describe(d);
    d.ints("source", TransformerCase::ids(TwoSides::rows(model.sides.sources), model.sides.Ns(),
                                          model.config.source_vocab, 4));
    d.ints("decoder_input", TransformerCase::ids(TwoSides::rows(model.sides.targets), model.sides.Nt(),
                                                 model.config.target_vocab, 5));
    d.ints("target", target());
    describe_parameters(d, model.layout());
    d.output("loss", {1});
  }

  template <class Dev>
  using Cache = TransformerCase::Cache<Dev>;

  template <class Dev>
  Batch<Dev> batch(const Tensors<Dev>& t) const {
    Batch<Dev> b = model.batch(t);
    b.target = t.ints("target");
    return b;
  }

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, model.layout(), t);
    const Out<Dev, 2> positions = dev.kept.matrix(model.config.max_length, model.config.d_model);
    sinusoids(dev, positions);
    c.positions = positions;
    const TransformerParams<Dev> p = params(weights, c);
    transformer_forward(dev, c.model, batch(t), p, model.config);
    fill(dev, t.vector("loss"), 0);
    output_loss_value(dev, t.vector("loss"), c.model.output(), p.output, t.ints("target"), smoothing);
  }

  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, model.layout(), t), gradients(dev, model.layout(), t, "d");
    auto dbind = gradients.binder();
    const TransformerParams<Dev> p = params(weights, c), dp = transformer_params(dbind, model.config);
    check_shape("model: dloss", t.d_vector("loss"), {1});  // read here, by no leaf
    const StepState before = dev.state;
    StepState scaled = before;
    scaled.inverse_tokens *= t.values("dloss")[0];
    Scratch<Dev> scope(dev);
    const auto loss = dev.scratch.vector(1);
    const Out<Dev, 2> dx = dev.scratch.matrix(model.sides.Nt(), model.config.d_model);
    fill(dev, loss, 0);
    dev.set(scaled);
    output_loss(dev, loss, dx, dp.output, c.model.output(), p.output, t.ints("target"), smoothing);
    dev.set(before);
    transformer_backward(dev, dx, dp, batch(t), c.model, p, model.config);
    gradients.save(dev, t, "d");
  }

 private:
  template <class Dev>
  TransformerParams<Dev> params(const FlatParameters<Dev>& weights, const Cache<Dev>& c) const {
    auto bind = weights.binder();
    TransformerParams<Dev> p = transformer_params(bind, model.config);
    p.positions = c.positions;
    return p;
  }
};

}  // namespace gradus::test
