#include "11_translator/pictures/attention_map.hpp"

#include <algorithm>
#include <string>

#include "gradus/util/error.hpp"

namespace gradus {

const AttentionMaps& maps_of(const AttentionRecord& record, AttentionKind kind) {
  if (kind == AttentionKind::encoder) return record.encoder;
  return kind == AttentionKind::decoder ? record.decoder : record.cross;
}

const AttentionNames& names_of(AttentionKind kind) {
  static const AttentionNames encoder{"Encoder self-attention", "each piece of the source", "looks at the source",
                                      "While it reads, every piece of the source looks at the whole source."};
  static const AttentionNames decoder{"Decoder self-attention", "to say this piece",
                                      "it looks back at what was said",
                                      "To say the next piece, the decoder looks at those it has said so far, never "
                                      "ahead: the upper triangle is empty."};
  static const AttentionNames cross{"Cross-attention", "to say this piece", "it looks at the source",
                                    "To say the next piece of the translation, the decoder looks at the source."};
  if (kind == AttentionKind::encoder) return encoder;
  return kind == AttentionKind::decoder ? decoder : cross;
}

std::string map_name(const AttentionMaps& maps, std::size_t layer, std::size_t head) {
  return "layer " + std::to_string(layer + 1) + ", " +
         (head == maps.heads ? "mean of heads" : "head " + std::to_string(head + 1));
}

HeatMap attention_map(const AttentionRecord& record, AttentionKind kind, std::size_t layer, std::size_t head) {
  const AttentionMaps& maps = maps_of(record, kind);
  if (layer >= maps.layers || head > maps.heads) fail("this sentence has no map of " + map_name(maps, layer, head));
  const std::size_t T = maps.rows.size(), S = maps.columns.size();
  const AttentionNames& names = names_of(kind);
  HeatMap map;
  map.rows = maps.rows, map.columns = maps.columns;
  map.row_title = names.rows, map.column_title = names.columns;
  map.description = std::string(names.title) + ", " + map_name(maps, layer, head);
  map.cell = std::clamp(620.0 / static_cast<double>(std::max(T, S)), 12.0, 26.0);
  map.values.assign(T * S, 0);
  const std::size_t first = head == maps.heads ? 0 : head, count = head == maps.heads ? maps.heads : 1;
  for (std::size_t h = first; h < first + count; ++h) {
    for (std::size_t i = 0; i < T * S; ++i) {
      map.values[i] += maps.at(layer, h, i / S, i % S) / static_cast<double>(count);
    }
  }
  return map;
}

}  // namespace gradus
