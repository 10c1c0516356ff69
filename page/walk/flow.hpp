#pragma once
/// \file
/// What flows through the model for one pair: forward, loss, backward, by the functions of chapters 02 to 10.

#include <string>
#include <vector>

#include "09_transformer/model.hpp"
#include "10_training/data/corpus.hpp"
#include "10_training/loss/output_loss.hpp"
#include "live/lesson.hpp"
#include "walk/devices.hpp"

namespace gradus::page {

/// Collects tensors, with the name that the page has for them.
class Flow {
 public:
  explicit Flow(Part part) : part_(part) {}

  template <class Real>
  void add(const std::string& name, View<Real, 2, Host> m) {
    tensors.push_back({name, part_, {m.extent[0], m.extent[1]}, copied(In<Device, 2>(m))});
  }
  template <class Real>
  void add(const std::string& name, View<Real, 1, Host> v) {
    tensors.push_back({name, part_, {v.extent[0]}, {v.data, v.data + v.extent[0]}});
  }
  void add(const std::string& name, std::size_t columns, const Numbers& numbers) {
    tensors.push_back({name, part_, {numbers.size() / columns, columns}, numbers});
  }

  /// The weights (queries x heads, keys), one tensor for each head.
  template <class Real>
  void add_heads(const std::string& name, View<Real, 2, Host> weights, std::size_t heads) {
    const std::size_t queries = weights.extent[0] / heads, stride = heads * weights.stride;
    for (std::size_t h = 0; h < heads; ++h)
      add(name + std::to_string(h),
          In<Device, 2>{weights.data + h * weights.stride, {queries, weights.extent[1]}, stride});
  }

  Tensors tensors;

 private:
  Part part_;
};

template <class Residual>
void add_residual(Flow& flow, const std::string& name, const Residual& r) {
  flow.add(name + ".s", r.s);
  flow.add(name + ".n", r.n);
}

template <class Dev>
void add_forward(Flow& flow, const TransformerCache<Dev>& c, std::size_t heads) {
  const EncoderLayerCache<Dev>& e = c.encoder.layers[0];
  const DecoderLayerCache<Dev>& d = c.decoder.layers[0];
  flow.add("encoder.x", c.source);
  flow.add("encoder.u", c.encoder.first);
  flow.add_heads("encoder.weights", e.self_attention.attention.weights, heads);
  add_residual(flow, "encoder.self", e.after_self_attention);
  flow.add("encoder.h", e.feed_forward.h);
  add_residual(flow, "encoder.end", e.after_feed_forward);
  flow.add("decoder.x", c.target);
  flow.add("decoder.u", c.decoder.first);
  flow.add_heads("decoder.weights", d.self_attention.attention.weights, heads);
  add_residual(flow, "decoder.self", d.after_self_attention);
  flow.add_heads("cross.weights", d.cross_attention.attention.weights, heads);
  add_residual(flow, "decoder.cross", d.after_cross_attention);
  flow.add("decoder.h", d.feed_forward.h);
  add_residual(flow, "decoder.end", d.after_feed_forward);
}

/// Backward from dx, the gradient of the decoder's output, as transformer_backward does it; here what is between both stacks is
/// kept.
template <class Dev>
void add_backward(Flow& flow, Dev& dev, Acc<Dev, 2> dx, const TransformerParams<Dev>& dp, const Batch<Dev>& batch,
                  const TransformerCache<Dev>& c, const Model<Dev>& model) {
  const ModelConfig& config = model.config;
  const std::size_t D = config.d_model;
  const Out<Dev, 2> dtarget = dev.kept.matrix(c.target.extent[0], D),
                    dsource = dev.kept.matrix(c.source.extent[0], D);
  const Acc<Dev, 2> dmemory = dev.kept.matrix(c.source.extent[0], D);
  fill(dev, dmemory, 0);
  decoder_backward(dev, dtarget, dx, dmemory, dp.decoder, {c.target, batch.targets}, {c.memory(), batch.sources},
                   c.decoder, model.params.decoder, config.decoder());
  embed_backward(dev, dp.target_embedding, dtarget, batch.decoder_input, embed_options(config, Side::target));
  encoder_backward(dev, dsource, dmemory, dp.encoder, {c.source, batch.sources}, c.encoder, model.params.encoder,
                   config.encoder());
  embed_backward(dev, dp.source_embedding, dsource, batch.source, embed_options(config, Side::source));
  add_due_sums(dev);
  flow.add("dencoder.x", dsource);
  flow.add("ddecoder.x", dtarget);
  const char* const names[] = {"ddecoder.end", "ddecoder.cross", "ddecoder.self", "dencoder.end", "dencoder.self"};
  for (std::size_t i = 0; i < dev.noted.size(); ++i) {
    flow.add(std::string(names[i]) + ".s", D, dev.noted[i].ds);
    flow.add(std::string(names[i]) + ".n", D, dev.noted[i].dn);
  }
}

template <class Dev>
Tensors flow_of(const Model<Dev>& model, const HostBatch& pair, double smoothing) {
  Dev dev;
  dev.notes = true;
  StepState state;
  state.inverse_tokens = 1.0 / static_cast<double>(pair.target.size());
  dev.set(state);
  DeviceBatch<Dev> batch;
  batch.load(dev, pair);
  TransformerCache<Dev> c;
  transformer_forward(dev, c, batch.view(), model.params, model.config);

  Flow forward(Part::output), backward(Part::gradient);
  const std::size_t N = pair.target.size();
  const Out<Dev, 1> loss = dev.kept.vector(1);
  const Out<Dev, 2> dx = dev.kept.matrix(N, model.config.d_model),
                    logits = dev.kept.matrix(N, model.config.target_vocab);
  FlatVector<Dev> gradients(model.layout);
  Binder<Dev> bind(model.layout, gradients.flat());
  const TransformerParams<Dev> dp = transformer_params(bind, model.config);
  fill(dev, gradients.flat(), 0);
  fill(dev, loss, 0);
  output_forward(dev, logits, c.output(), model.params.output);
  output_loss(dev, loss, dx, dp.output, c.output(), model.params.output, batch.view().target, smoothing);
  forward.add("loss", loss);
  add_forward<Dev>(forward, c, model.config.heads);
  forward.add("logits", logits);
  add_backward<Dev>(backward, dev, dx, dp, batch.view(), c, model);
  for (const Slice& s : model.layout.slices())
    backward.add("d" + s.name, s.shape.back(),
                 {gradients.flat().data + s.offset, gradients.flat().data + s.offset + s.size()});
  forward.tensors.insert(forward.tensors.end(), backward.tensors.begin(), backward.tensors.end());
  return forward.tensors;
}

}  // namespace gradus::page
