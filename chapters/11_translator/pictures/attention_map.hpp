#pragma once
/// \file
/// One map of an AttentionRecord as a table with words on its axes.

#include <array>

#include "11_translator/translator/attention_record.hpp"
#include "gradus/plot/heat_map.hpp"

namespace gradus {

enum class AttentionKind { encoder, decoder, cross };
constexpr std::array<AttentionKind, 3> attention_kinds{AttentionKind::cross, AttentionKind::encoder,
                                                       AttentionKind::decoder};

const AttentionMaps& maps_of(const AttentionRecord& record, AttentionKind kind);

/// "Cross-attention", and what its rows and columns are.
struct AttentionNames {
  const char *title, *rows, *columns, *explanation;
};
const AttentionNames& names_of(AttentionKind kind);

/// "layer 3, head 1" or "layer 3, mean of heads", which `head` = heads stands for.
std::string map_name(const AttentionMaps& maps, std::size_t layer, std::size_t head);

/// One head, or the mean of all. Throws Error where the record has no such map.
HeatMap attention_map(const AttentionRecord& record, AttentionKind kind, std::size_t layer, std::size_t head);

}  // namespace gradus
