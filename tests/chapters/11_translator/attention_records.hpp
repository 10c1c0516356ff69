#pragma once
/// \file
/// Attention records made by hand: seven layers in the encoder, five in the decoder, two heads, all sizes different, so that none
/// can stand for another.

#include <utility>

#include "11_translator/translator/attention_record.hpp"

namespace gradus::test {

/// Rows that sum to 1; they differ from each other, from head to head and from layer to layer.
inline AttentionMaps maps(std::size_t layers, std::vector<std::string> rows, std::vector<std::string> columns) {
  AttentionMaps m{layers, 2, std::move(rows), std::move(columns), {}};
  const std::size_t T = m.rows.size(), S = m.columns.size();
  for (std::size_t i = 0; i < layers * 2 * T; ++i) {
    float sum = 0;
    for (std::size_t s = 0; s < S; ++s) sum += static_cast<float>((7 * i + 3 * s + i * s) % 11 + 1);
    for (std::size_t s = 0; s < S; ++s)
      m.weights.push_back(static_cast<float>((7 * i + 3 * s + i * s) % 11 + 1) / sum);
  }
  return m;
}

inline AttentionRecord record(const std::string& word = "_dog") {
  const std::vector<std::string> from{"_a", word, "s", "<eos>"}, to{"_Hunde", ".", "<eos>"},
      before{"<bos>", "_Hunde", "."};
  return {"a " + word.substr(1) + "s", "Hunde.", maps(7, from, from), maps(5, to, before), maps(5, to, from)};
}

}  // namespace gradus::test
