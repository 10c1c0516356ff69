#pragma once
/// \file
/// Ids to text.

#include <string>
#include <vector>

#include "gradus/text/pieces/piece_model.hpp"

namespace gradus {

/// The text of pieces, whose ids exist. U+2581 becomes a space; the one that the settings have put before the text is left
/// out. Control pieces become nothing, the unknown piece unk_surface, and bytes in a row the characters that they are; U+FFFD
/// stands for a byte that is no part of one.
std::string text_of_pieces(const PieceModel& model, const std::vector<int>& ids);

}  // namespace gradus
