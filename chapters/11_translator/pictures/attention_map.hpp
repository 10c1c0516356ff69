#pragma once
/// \file
/// One attention map of an AttentionRecord, with words on both axes.

#include <array>

#include "11_translator/translator/attention_record.hpp"
#include "gradus/plot/heat_map.hpp"

namespace gradus {

enum class AttentionKind { encoder, decoder, cross };
constexpr std::array<AttentionKind, 3> attention_kinds{AttentionKind::cross, AttentionKind::encoder,
                                                       AttentionKind::decoder};

const AttentionMaps& maps_of(const AttentionRecord& record, AttentionKind kind);

/// The title of a kind of attention, such as "Cross-attention", and the titles of its rows and columns.
struct AttentionNames {
  const char *title, *rows, *columns, *explanation;
};
const AttentionNames& names_of(AttentionKind kind);

/// "layer 3, head 1", or "layer 3, mean of heads" if `head` = heads.
std::string map_name(const AttentionMaps& maps, std::size_t layer, std::size_t head);

/// One head, or the mean of all heads. Throws Error if the record has no such map.
HeatMap attention_map(const AttentionRecord& record, AttentionKind kind, std::size_t layer, std::size_t head);

}  // namespace gradus
