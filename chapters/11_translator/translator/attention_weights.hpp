#pragma once
/// \file
/// The weights of every attention of the model in one translation.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "01_embedding/vocabulary.hpp"
#include "11_translator/search/inference_pass.hpp"
#include "11_translator/translator/attention_record.hpp"

namespace gradus {

/// A function that turns ids into labels, one for each language.
struct PieceNames {
  std::function<std::string(std::int32_t)> source, target;
};

/// Reads the maps of all layers from their caches; each holds (rows x heads, columns), row after row.
template <class Dev, class Layers, class Weights>
AttentionMaps attention_maps(Dev& dev, const Layers& layers, std::size_t heads, std::vector<std::string> rows,
                             std::vector<std::string> columns, const Weights& weights) {
  using Real = typename Dev::Real;
  AttentionMaps maps{layers.size(), heads, std::move(rows), std::move(columns), {}};
  const std::size_t T = maps.rows.size(), S = maps.columns.size();
  for (const auto& layer : layers) {
    std::vector<Real> values;  // (T, H, S)
    read(dev, values, In<Dev, 2>(weights(layer)));
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t t = 0; t < T; ++t) {
        for (std::size_t s = 0; s < S; ++s)
          maps.weights.push_back(static_cast<float>(values[(t * heads + h) * S + s]));
      }
    }
  }
  return maps;
}

/// The weights of one pass over `source` (ids with <eos>) and the translation `output` (<eos> at the end, unless it was cut at its
/// maximum length; at least one token): a row for each of its tokens. The part of a decoder without self-attention has no
/// layers. The search itself keeps no weights. The texts stay empty.
template <class Dev>
AttentionRecord attention_record(Dev& dev, const std::vector<std::int32_t>& source,
                                 const std::vector<std::int32_t>& output, const TransformerParams<Dev>& params,
                                 const ModelConfig& config, const PieceNames& names,
                                 const Specials& specials = {}) {
  std::vector<std::int32_t> input{specials.bos};
  input.insert(input.end(), output.begin(), output.end() - 1);
  const auto mark = dev.kept.mark();
  const TransformerCache<Dev> c = inference_pass(dev, source, input, params, config);

  const auto named = [](const auto& name, const std::vector<std::int32_t>& ids) {
    std::vector<std::string> labels;
    for (const std::int32_t id : ids) labels.push_back(name(id));
    return labels;
  };
  const auto from = named(names.source, source), to = named(names.target, output);
  const auto own = [](const auto& layer) { return layer.self_attention.attention.weights; };
  const auto other = [](const auto& layer) { return layer.cross_attention.attention.weights; };
  AttentionRecord record;
  record.encoder = attention_maps(dev, c.encoder.layers, config.heads, from, from, own);
  if (config.decoder_unit == DecoderUnit::attention)
    record.decoder = attention_maps(dev, c.decoder.layers, config.heads, to, named(names.target, input), own);
  record.cross = attention_maps(dev, c.decoder.layers, config.heads, to, from, other);
  dev.kept.release(mark);
  return record;
}

}  // namespace gradus
