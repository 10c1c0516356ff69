#pragma once
/// \file
/// The attention weights of a translation, with words on both axes: for pictures.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// All layers and heads of one kind of attention. A row is a query, a column is a key.
struct AttentionMaps {
  std::size_t layers = 0, heads = 0;
  std::vector<std::string> rows, columns;  ///< pieces of words
  std::vector<float> weights;              ///< (layers, heads, rows, columns); a visible row sums to 1

  float at(std::size_t layer, std::size_t head, std::size_t row, std::size_t column) const {
    return weights[((layer * heads + head) * rows.size() + row) * columns.size() + column];
  }
};

/// Row t of `decoder` and of `cross` belongs to the step that outputs translation word t; <eos> is the last one, unless the
/// translation was cut at its maximum length. At
/// that step the decoder has read <bos> and the words before, which are the columns of `decoder`. A decoder with an SSRU has no
/// self-attention: then `decoder` has no layers.
struct AttentionRecord {
  std::string source_text, translation;
  AttentionMaps encoder, decoder, cross;
};

}  // namespace gradus
