#pragma once

#include "08_decoder/decoder.hpp"
#include "chapters/07_encoder/encoder_case.hpp"

namespace gradus::test {

inline StackOptions small_decoder(Norm norm, std::size_t layers, double rate = 0.3,
                                  DecoderUnit unit = DecoderUnit::attention) {
  StackOptions o = small_stack(norm, layers, rate);
  o.side = Side::target;
  o.first_layer = 3;
  o.decoder_unit = unit;
  return o;
}

/// "pre", or "pre_ssru": the end of the names of golden files.
inline std::string form_of(Norm norm, DecoderUnit unit) {
  return placement(norm) + (unit == DecoderUnit::ssru ? "_ssru" : "");
}

/// Calls f(norm, unit) for each form of a decoder.
template <class F>
void each_form(F&& f) {
  for (const DecoderUnit unit : {DecoderUnit::attention, DecoderUnit::ssru}) {
    for (const Norm norm : {Norm::pre, Norm::post}) f(norm, unit);
  }
}

/// The two sides of a batch: equally many sentences with other lengths; equally many rows in use, with other
/// numbers of spare rows. One source and one target are empty, and one source has a single row.
struct TwoSides {
  std::vector<std::int32_t> sources{3, 0, 1, 4}, targets{2, 3, 3, 0};
  std::size_t spare_sources = 2, spare_targets = 1;

  static std::size_t rows(const std::vector<std::int32_t>& lengths) { return SegmentTable::packed(lengths).rows; }
  std::size_t Ns() const { return rows(sources) + spare_sources; }
  std::size_t Nt() const { return rows(targets) + spare_targets; }

  void describe(Description& d) const {
    if (rows(sources) == rows(targets)) d.used_rows = rows(targets);
    describe_sentences(d, "source", sources);
    describe_sentences(d, "target", targets);
  }
  template <class Dev>
  Segments<Dev> source(const Tensors<Dev>& t) const {
    return sentences(t, "source", sources, Ns());
  }
  template <class Dev>
  Segments<Dev> target(const Tensors<Dev>& t) const {
    return sentences(t, "target", targets, Nt());
  }
};

/// Layer `layer` of a stack alone; inputs and outputs as in EncoderLayerCase, and the memory.
struct DecoderLayerCase {
  StackOptions options = small_decoder(Norm::pre, 2);
  TwoSides sides{};
  std::size_t layer = 1;

  bool pre() const { return options.norm == Norm::pre; }
  Layout layout() const {
    return layout_of([&](auto& bind) { decoder_layer_params(bind, "layer", options); });
  }

  void describe(Description& d) const {
    d.component = "decoder_layer_" + form_of(options.norm, options.decoder_unit);
    sides.describe(d);
    d.input("x", {sides.Nt(), options.d_model}).rowwise();
    if (pre()) d.input("u", {sides.Nt(), options.d_model}).rowwise();
    d.input("memory", {sides.Ns(), options.d_model}).rowwise().accumulates();
    describe_parameters(d, layout());
    if (pre()) d.output("s", {sides.Nt(), options.d_model}).rowwise();
    d.output("n", {sides.Nt(), options.d_model}).rowwise();
  }

  template <class Dev>
  using Cache = DecoderLayerCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t);
    auto bind = weights.binder();
    decoder_layer_forward(dev, c, t.matrix("x"), {t.matrix(pre() ? "u" : "x"), sides.target(t)},
                          {t.matrix("memory"), sides.source(t)}, decoder_layer_params(bind, "layer", options),
                          {options, layer});
    if (pre()) copy(dev, t.matrix("s"), c.after_feed_forward.s);
    copy(dev, t.matrix("n"), c.after_feed_forward.n);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t), gradients(dev, layout(), t, "d");
    auto bind = weights.binder(), dbind = gradients.binder();
    const auto dn = t.d_matrix(pre() ? "u" : "x");
    const auto dx = pre() ? t.d_matrix("x") : dev.scratch.matrix(sides.Nt(), options.d_model);
    pre() ? copy(dev, dx, t.d_matrix("s")) : fill(dev, dx, 0);
    copy(dev, dn, t.d_matrix("n"));
    decoder_layer_backward(dev, dx, dn, t.d_matrix("memory"), decoder_layer_params(dbind, "layer", options),
                           {t.matrix(pre() ? "u" : "x"), sides.target(t)}, {t.matrix("memory"), sides.source(t)}, c,
                           decoder_layer_params(bind, "layer", options), {options, layer});
    gradients.save(dev, t, "d");
  }
};

/// The whole stack.
struct DecoderCase {
  StackOptions options = small_decoder(Norm::pre, 2);
  TwoSides sides{};

  Layout layout() const {
    return layout_of([&](auto& bind) { decoder_params(bind, "decoder", options); });
  }

  void describe(Description& d) const {
    d.component = "decoder_" + form_of(options.norm, options.decoder_unit);
    sides.describe(d);
    d.input("x", {sides.Nt(), options.d_model}).rowwise();
    d.input("memory", {sides.Ns(), options.d_model}).rowwise().accumulates();
    describe_parameters(d, layout());
    d.output("y", {sides.Nt(), options.d_model}).rowwise();
  }

  template <class Dev>
  using Cache = DecoderCache<Dev>;

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t);
    auto bind = weights.binder();
    decoder_forward(dev, c, {t.matrix("x"), sides.target(t)}, {t.matrix("memory"), sides.source(t)},
                    decoder_params(bind, "decoder", options), options);
    copy(dev, t.matrix("y"), c.output);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& c, Tensors<Dev>& t) const {
    const FlatParameters<Dev> weights(dev, layout(), t), gradients(dev, layout(), t, "d");
    auto bind = weights.binder(), dbind = gradients.binder();
    const auto dn = dev.scratch.matrix(sides.Nt(), options.d_model);
    copy(dev, dn, t.d_matrix("y"));
    decoder_backward(dev, t.d_matrix("x"), dn, t.d_matrix("memory"), decoder_params(dbind, "decoder", options),
                     {t.matrix("x"), sides.target(t)}, {t.matrix("memory"), sides.source(t)}, c,
                     decoder_params(bind, "decoder", options), options);
    gradients.save(dev, t, "d");
  }
};

}  // namespace gradus::test
