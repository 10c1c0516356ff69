#pragma once
/// \file
/// Aligns each token of a translation with a source token, by the weights of cross-attention.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "01_embedding/vocabulary.hpp"
#include "11_translator/search/inference_pass.hpp"

namespace gradus {

/// For each token of `output` (T, with <eos> at the end if the translation has one) the source token with the most
/// attention, summed over layers and heads: `weights` holds (T, H, S) for each layer, row after row; row t is the
/// step that outputs token t. If there are several layers, the first one attends for the token that was read last,
/// so for that layer the next step counts. The last source token, <eos>, is aligned with <eos> only.
template <class Real>
std::vector<std::size_t> aligned_tokens(const std::vector<std::vector<Real>>& weights,
                                        const std::vector<std::int32_t>& output, std::size_t heads,
                                        std::size_t sources, std::int32_t eos) {
  std::vector<std::size_t> aligned;
  for (std::size_t t = 0; t < output.size(); ++t) {
    std::vector<double> sum(sources);
    for (std::size_t l = 0; l < weights.size(); ++l) {
      const std::size_t row = l == 0 && weights.size() > 1 ? std::min(t + 1, output.size() - 1) : t;
      for (std::size_t i = 0; i < heads * sources; ++i) {
        sum[i % sources] += static_cast<double>(weights[l][row * heads * sources + i]);
      }
    }
    const auto end = sum.end() - 1;
    const auto best = output[t] == eos ? end : std::max_element(sum.begin(), end);
    aligned.push_back(static_cast<std::size_t>(best - sum.begin()));
  }
  return aligned;
}

/// The same, from one pass over `source` (ids with <eos>, at least 2) and the whole translation `output`.
template <class Dev>
std::vector<std::size_t> token_alignment(Dev& dev, const std::vector<std::int32_t>& source,
                                         const std::vector<std::int32_t>& output,
                                         const TransformerParams<Dev>& params, const ModelConfig& config,
                                         const Specials& specials = {}) {
  if (output.empty()) return {};
  std::vector<std::int32_t> input{specials.bos};  // the decoder's input at each step
  input.insert(input.end(), output.begin(), output.end() - 1);
  const auto mark = dev.kept.mark();
  const TransformerCache<Dev> c = inference_pass(dev, source, input, params, config);
  std::vector<std::vector<typename Dev::Real>> weights;  // (T, H, S) of each layer
  for (const auto& layer : c.decoder.layers) {
    weights.emplace_back();
    read(dev, weights.back(), In<Dev, 2>(layer.cross_attention.attention.weights));
  }
  dev.kept.release(mark);
  return aligned_tokens(weights, output, config.heads, source.size(), specials.eos);
}

}  // namespace gradus
