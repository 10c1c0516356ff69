#pragma once

#include "02_positional_encoding/sinusoids.hpp"
#include "09_transformer/transformer.hpp"
#include "chapters/08_decoder/decoder_case.hpp"

namespace gradus::test {

inline ModelConfig small_model(Norm norm, Tying tying, double rate = 0.3,
                               DecoderUnit unit = DecoderUnit::attention) {
  ModelConfig c;
  c.source_vocab = c.target_vocab = 7;
  c.d_model = 4, c.heads = 2, c.ffn = 5;
  c.encoder_layers = c.decoder_layers = 2;
  c.norm = norm;
  c.tying = tying;
  c.decoder_unit = unit;
  c.max_length = 40;
  c.embedding_rate = c.attention_rate = c.activation_rate = c.residual_rate = rate;
  return c;
}

/// The whole model up to the logits, which are judged by a random projection. Repeated words, a sentence of one row,
/// empty ones, spare rows.
struct TransformerCase {
  ModelConfig config = small_model(Norm::pre, Tying::output);
  TwoSides sides{};

  Layout layout() const {
    return layout_of([&](auto& bind) { transformer_params(bind, config); });
  }
  static std::vector<std::int32_t> ids(std::size_t used, std::size_t rows, std::size_t vocab, std::size_t step) {
    std::vector<std::int32_t> result(rows, 0);  // spare rows have <pad>
    for (std::size_t n = 0; n < used; ++n) result[n] = static_cast<std::int32_t>(1 + (n * step) % (vocab - 1));
    return result;
  }

  void describe(Description& d) const {
    d.component = "transformer_" + form_of(config.norm, config.decoder_unit);
    sides.describe(d);
    d.ints("source", ids(TwoSides::rows(sides.sources), sides.Ns(), config.source_vocab, 4));
    d.ints("decoder_input", ids(TwoSides::rows(sides.targets), sides.Nt(), config.target_vocab, 5));
    describe_parameters(d, layout());
    d.output("logits", {sides.Nt(), config.target_vocab}).rowwise();
  }

  template <class Dev>
  struct Cache {
    TransformerCache<Dev> model;
    In<Dev, 2> positions;
  };

  template <class Dev>
  Batch<Dev> batch(const Tensors<Dev>& t) const {
    return {t.ints("source"), sides.source(t), t.ints("decoder_input"), sides.target(t), {}};
  }

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t);
    const Out<Dev, 2> positions = dev.kept.matrix(config.max_length, config.d_model);
    sinusoids(dev, positions);
    c.positions = positions;
    auto bind = weights.binder();
    TransformerParams<Dev> p = transformer_params(bind, config);
    p.positions = positions;
    transformer_forward(dev, c.model, batch(t), p, config);
    output_forward(dev, t.matrix("logits"), c.model.output(), p.output);
  }

  /// The output layer's backward, a part of the loss in chapter 10. Then the model's backward.
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t), gradients(dev, layout(), t, "d");
    auto bind = weights.binder(), dbind = gradients.binder();
    TransformerParams<Dev> p = transformer_params(bind, config);
    const TransformerParams<Dev> dp = transformer_params(dbind, config);
    p.positions = c.positions;
    const Out<Dev, 2> dx = dev.scratch.matrix(sides.Nt(), config.d_model);
    output_backward(dev, dx, dp.output, t.d_matrix("logits"), c.model.output(), p.output);
    transformer_backward(dev, dx, dp, batch(t), c.model, p, config);
    gradients.save(dev, t, "d");
  }
};

}  // namespace gradus::test
