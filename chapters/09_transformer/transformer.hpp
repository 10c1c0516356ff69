#pragma once
/// \file
/// The whole model: encoder and decoder, connected by the memory. Sizes: Ns source rows, Nt target rows, Vs and Vt
/// words.

#include "02_positional_encoding/embed.hpp"
#include "07_encoder/encoder.hpp"
#include "08_decoder/decoder.hpp"
#include "09_transformer/batch.hpp"
#include "09_transformer/config.hpp"
#include "09_transformer/output_map.hpp"

namespace gradus {

template <class Real, class Space>
struct BasicTransformerParams {
  View<Real, 2, Space> source_embedding;  ///< (Vs, D)
  View<Real, 2, Space> target_embedding;  ///< (Vt, D)
  BasicOutputParams<Real, Space> output;  ///< its table (Vt, D); tied tables are views of one slice
  BasicEncoderParams<Real, Space> encoder;
  BasicDecoderParams<Real, Space> decoder;
  /// (max_length, D), no parameter: computed by `sinusoids` into the caller's memory
  View<const Real, 2, Space> positions;
  /// No parameter, and read by a search only: 8-bit copies of the matrices, or null.
  const Int8Weights* int8 = nullptr;
};
template <class Dev>
using TransformerParams = BasicTransformerParams<typename Dev::Real, typename Dev::Space>;

template <class Real, class Space>
struct BasicTransformerCache {
  View<Real, 2, Space> source;  ///< (Ns, D), the embedded source
  BasicEncoderCache<Real, Space> encoder;
  View<Real, 2, Space> target;  ///< (Nt, D), the embedded decoder input
  BasicDecoderCache<Real, Space> decoder;

  View<const Real, 2, Space> memory() const { return encoder.output; }  ///< (Ns, D)
  View<const Real, 2, Space> output() const { return decoder.output; }  ///< (Nt, D)
};
template <class Dev>
using TransformerCache = BasicTransformerCache<typename Dev::Real, typename Dev::Space>;

/// The parameters of the model; a table that is tied to another is a view of the other's slice. The caller sets the
/// positions in the struct of the weights.
template <class Dev>
TransformerParams<Dev> transformer_params(Binder<Dev>& bind, const ModelConfig& config) {
  TransformerParams<Dev> p;
  const std::size_t D = config.d_model;
  p.source_embedding = bind.table("source_embedding", config.source_vocab, D, true);
  p.target_embedding = config.tying == Tying::all ? p.source_embedding
                                                  : bind.table("target_embedding", config.target_vocab, D, true);
  p.output.table =
      config.tying == Tying::none ? bind.table("output", config.target_vocab, D, false) : p.target_embedding;
  if (config.output_bias) p.output.bias = bind.bias("output_bias", config.target_vocab, D);
  p.encoder = encoder_params(bind, "encoder", config.encoder());
  p.decoder = decoder_params(bind, "decoder", config.decoder());
  return p;
}

/// How an embedding is read on one side of the model.
inline EmbedOptions embed_options(const ModelConfig& config, Side side) {
  const DropoutSite site = side == Side::source ? DropoutSite::source_embedding : DropoutSite::target_embedding;
  return {{config.scale_embedding ? embedding_scale(config.d_model) : 1.0, 0},
          {config.embedding_rate, dropout_site(0, site), side}};
}

/// \defgroup transformer transformer
/// computes  memory = encoder(embed(source)),  x = decoder(embed(decoder_input), memory)         (eq:9.1, eq:9.2)
///           and the logits, one row for each next word: `output_forward`                                (eq:9.3)
///           (Vaswani et al. 2017). There is no softmax here: the loss and the search each compute their own.
/// requires  a config that passes check(); ids inside their vocabularies; no sentence beyond max_length, else Error.
/// ensures   c.memory() and c.output() are in dev.kept. transformer_backward: dn is at entry the gradient of
///           c.output() and is overwritten, dp is added to; the gradients of tied tables are added in one place.
///                                                                                                    (eq:9.6)
/// saves     the caches of both stacks, and their embedded inputs.
/// @{
template <class Dev>
void encode(Dev& dev, TransformerCache<Dev>& c, Ints<Dev, 1> source, const Segments<Dev>& sources,
            const TransformerParams<Dev>& p, const ModelConfig& config) {
  c.source = dev.kept.matrix(source.extent[0], config.d_model);
  embed_forward(dev, c.source, source, sources, Ints<Dev, 1>{}, p.source_embedding, p.positions,
                embed_options(config, Side::source));
  encoder_forward(dev, c.encoder, {c.source, sources}, p.encoder, config.encoder());  // eq:9.1
}

template <class Dev>
void decode(Dev& dev, TransformerCache<Dev>& c, const Sequences<Dev>& memory, Ints<Dev, 1> decoder_input,
            const Segments<Dev>& targets, const TransformerParams<Dev>& p, const ModelConfig& config) {
  c.target = dev.kept.matrix(decoder_input.extent[0], config.d_model);
  embed_forward(dev, c.target, decoder_input, targets, Ints<Dev, 1>{}, p.target_embedding, p.positions,
                embed_options(config, Side::target));
  decoder_forward(dev, c.decoder, {c.target, targets}, memory, p.decoder, config.decoder());  // eq:9.2
}

template <class Dev>
void transformer_forward(Dev& dev, TransformerCache<Dev>& c, const Batch<Dev>& batch,
                         const TransformerParams<Dev>& p, const ModelConfig& config) {
  encode(dev, c, batch.source, batch.sources, p, config);
  decode(dev, c, {c.memory(), batch.sources}, batch.decoder_input, batch.targets, p, config);
}

template <class Dev>
void transformer_backward(Dev& dev, Acc<Dev, 2> dn, const TransformerParams<Dev>& dp, const Batch<Dev>& batch,
                          const TransformerCache<Dev>& c, const TransformerParams<Dev>& p,
                          const ModelConfig& config) {
  Scratch<Dev> scope(dev);
  const Out<Dev, 2> dtarget = dev.scratch.matrix(c.target.extent[0], config.d_model);  // (Nt, D)
  const Out<Dev, 2> dsource = dev.scratch.matrix(c.source.extent[0], config.d_model);  // (Ns, D)
  const Acc<Dev, 2> dmemory = dev.scratch.matrix(c.source.extent[0], config.d_model);  // (Ns, D)
  fill(dev, dmemory, 0);
  decoder_backward(dev, dtarget, dn, dmemory, dp.decoder, {c.target, batch.targets}, {c.memory(), batch.sources},
                   c.decoder, p.decoder, config.decoder());
  embed_backward(dev, dp.target_embedding, dtarget, batch.decoder_input, embed_options(config, Side::target));
  encoder_backward(dev, dsource, dmemory, dp.encoder, {c.source, batch.sources}, c.encoder, p.encoder,
                   config.encoder());  // eq:9.6
  embed_backward(dev, dp.source_embedding, dsource, batch.source, embed_options(config, Side::source));
  add_due_sums(dev);
}
/// @}

}  // namespace gradus
