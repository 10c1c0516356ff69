#pragma once
/// \file
/// What a finished translation looked at, for pictures.

#include "01_embedding/vocabulary.hpp"
#include "09_transformer/transformer.hpp"

namespace gradus {

/// What a translation looked at: cross-attention weights of every layer and head.
struct AttentionWeights {
  std::size_t layers = 0, heads = 0, targets = 0, sources = 0;
  std::vector<double> values;  ///< (layers, targets, heads, sources)

  double at(std::size_t layer, std::size_t head, std::size_t target, std::size_t source) const {
    return values[((layer * targets + target) * heads + head) * sources + source];
  }
};

/// The weights with which `source` (ids with <eos>) was looked at for each word of `words` and then for <eos>, by
/// one pass over the whole translation. For pictures; nothing of it is kept during the search.
template <class Dev>
AttentionWeights cross_attention_weights(Dev& dev, const std::vector<std::int32_t>& source,
                                         const std::vector<std::int32_t>& words,
                                         const TransformerParams<Dev>& params, const ModelConfig& config,
                                         const Specials& specials = {}) {
  using Real = typename Dev::Real;
  const ModelConfig still = config.without_dropout();
  std::vector<std::int32_t> input{specials.bos};
  input.insert(input.end(), words.begin(), words.end());
  const auto mark = dev.kept.mark();
  const auto one = [](const std::vector<std::int32_t>& s) {
    return SegmentTable::packed({static_cast<std::int32_t>(s.size())});
  };
  const Segments<Dev> sources = on_device(dev, one(source)), targets = on_device(dev, one(input));
  TransformerCache<Dev> c;
  encode(dev, c, on_device(dev, source), sources, params, still);
  decode(dev, c, c.memory(), on_device(dev, input), targets, sources, params, still);

  AttentionWeights result{still.decoder_layers, still.heads, input.size(), source.size(), {}};
  for (const auto& layer : c.decoder.layers) {
    std::vector<Real> values;
    read(dev, values, In<Dev, 1>(as_vector(layer.cross_attention.attention.weights)));
    result.values.insert(result.values.end(), values.begin(), values.end());
  }
  dev.kept.release(mark);
  return result;
}

}  // namespace gradus
