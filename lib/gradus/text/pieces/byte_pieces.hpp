#pragma once
/// \file
/// The pieces that stand for one byte each: <0x00> to <0xFF>.

#include <string_view>

namespace gradus {

/// The byte that a piece names, 0 to 255; -1 if it names none.
inline int byte_of_piece(std::string_view piece) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  if (piece.size() != 6 || piece.substr(0, 3) != "<0x" || piece[5] != '>') return -1;
  const auto high = digits.find(piece[3]), low = digits.find(piece[4]);
  return high == digits.npos || low == digits.npos ? -1 : static_cast<int>(16 * high + low);
}

}  // namespace gradus
