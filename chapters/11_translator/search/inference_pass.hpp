#pragma once
/// \file
/// One pass of the whole model over a sentence and a known translation. The caches show the results of all layers.

#include <cstdint>
#include <vector>

#include "09_transformer/transformer.hpp"

namespace gradus {

/// Encodes `source` (ids with <eos>) and decodes with `input` (<bos> and words), without dropout. The tensors of
/// the caches lie in dev.kept, after its mark before the call.
template <class Dev>
TransformerCache<Dev> inference_pass(Dev& dev, const std::vector<std::int32_t>& source,
                                     const std::vector<std::int32_t>& input, const TransformerParams<Dev>& params,
                                     const ModelConfig& config) {
  const ModelConfig inference = config.without_dropout();
  const auto one = [](const std::vector<std::int32_t>& ids) {
    return SegmentTable::packed({static_cast<std::int32_t>(ids.size())});
  };
  const Segments<Dev> sources = on_device(dev, one(source)), targets = on_device(dev, one(input));
  TransformerCache<Dev> c;
  encode(dev, c, on_device(dev, source), sources, params, inference);
  decode(dev, c, {c.memory(), sources}, on_device(dev, input), targets, params, inference);
  return c;
}

}  // namespace gradus
