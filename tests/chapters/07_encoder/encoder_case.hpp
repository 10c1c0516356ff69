#pragma once

#include "07_encoder/encoder.hpp"
#include "chapters/07_encoder/parameters.hpp"

namespace gradus::test {

inline StackOptions small_stack(Norm norm, std::size_t layers, double rate = 0.3) {
  StackOptions o;
  o.layers = layers;
  o.d_model = 6, o.heads = 2, o.ffn = 5;
  o.norm = norm;
  o.attention_rate = rate, o.activation_rate = rate, o.residual_rate = rate;
  return o;
}
inline std::string placement(Norm norm) { return norm == Norm::pre ? "pre" : "post"; }

/// Layer `layer` of a stack alone. With pre-norm the stream x and the sublayer's input u are two inputs, and s and
/// n two outputs; with post-norm only x and n exist.
struct EncoderLayerCase {
  StackOptions options = small_stack(Norm::pre, 2);
  std::vector<std::int32_t> lengths{3, 0, 1, 4};
  std::size_t spare = 2, layer = 1;

  std::size_t used() const { return SegmentTable::packed(lengths).rows; }
  std::size_t N() const { return used() + spare; }
  bool pre() const { return options.norm == Norm::pre; }
  Layout layout() const {
    return layout_of([&](auto& bind) { encoder_layer_params(bind, "layer", options); });
  }

  void describe(Description& d) const {
    d.component = "encoder_layer_" + placement(options.norm);
    d.used_rows = used();
    d.input("x", {N(), options.d_model}).rowwise();
    if (pre()) d.input("u", {N(), options.d_model}).rowwise();
    describe_parameters(d, layout());
    if (pre()) d.output("s", {N(), options.d_model}).rowwise();
    d.output("n", {N(), options.d_model}).rowwise();
    describe_sentences(d, "source", lengths);
  }

  template <class Dev>
  using Cache = EncoderLayerCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t);
    auto bind = weights.binder();
    const auto source = sentences(t, "source", lengths, N());
    encoder_layer_forward(dev, c, t.matrix("x"), {t.matrix(pre() ? "u" : "x"), source},
                          encoder_layer_params(bind, "layer", options), {options, layer});
    if (pre()) copy(dev, t.matrix("s"), c.after_feed_forward.s);
    copy(dev, t.matrix("n"), c.after_feed_forward.n);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t), gradients(dev, layout(), t, "d");
    auto bind = weights.binder(), dbind = gradients.binder();
    const auto source = sentences(t, "source", lengths, N());
    const auto dn = t.d_matrix(pre() ? "u" : "x");
    auto dx = pre() ? t.d_matrix("x") : dev.scratch.matrix(N(), options.d_model);
    pre() ? copy(dev, dx, t.d_matrix("s")) : fill(dev, dx, 0);
    copy(dev, dn, t.d_matrix("n"));
    encoder_layer_backward(dev, dx, dn, encoder_layer_params(dbind, "layer", options),
                           {t.matrix(pre() ? "u" : "x"), source}, c, encoder_layer_params(bind, "layer", options),
                           {options, layer});
    gradients.save(dev, t, "d");
  }
};

/// The whole stack.
struct EncoderCase {
  StackOptions options = small_stack(Norm::pre, 2);
  std::vector<std::int32_t> lengths{3, 0, 1, 4};
  std::size_t spare = 2;

  std::size_t used() const { return SegmentTable::packed(lengths).rows; }
  std::size_t N() const { return used() + spare; }
  Layout layout() const {
    return layout_of([&](auto& bind) { encoder_params(bind, "encoder", options); });
  }

  void describe(Description& d) const {
    d.component = "encoder_" + placement(options.norm);
    d.used_rows = used();
    d.input("x", {N(), options.d_model}).rowwise();
    describe_parameters(d, layout());
    d.output("y", {N(), options.d_model}).rowwise();
    describe_sentences(d, "source", lengths);
  }

  template <class Dev>
  using Cache = EncoderCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t);
    auto bind = weights.binder();
    encoder_forward(dev, c, {t.matrix("x"), sentences(t, "source", lengths, N())},
                    encoder_params(bind, "encoder", options), options);
    copy(dev, t.matrix("y"), c.output);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t), gradients(dev, layout(), t, "d");
    auto bind = weights.binder(), dbind = gradients.binder();
    const auto dn = dev.scratch.matrix(N(), options.d_model);
    copy(dev, dn, t.d_matrix("y"));
    encoder_backward(dev, t.d_matrix("x"), dn, encoder_params(dbind, "encoder", options),
                     {t.matrix("x"), sentences(t, "source", lengths, N())}, c,
                     encoder_params(bind, "encoder", options), options);
    gradients.save(dev, t, "d");
  }
};

}  // namespace gradus::test
