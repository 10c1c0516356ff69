#pragma once
/// \file
/// The pieces that stand for one byte each: <0x00> to <0xFF>.

#include <string>
#include <string_view>

namespace gradus {

/// The name of a byte, such as <0xE2>.
inline std::string piece_of_byte(unsigned char byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  return {'<', '0', 'x', digits[byte >> 4U], digits[byte & 15U], '>'};
}

/// The byte that a piece names, 0 to 255; -1 if it names none.
inline int byte_of_piece(std::string_view piece) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  if (piece.size() != 6 || piece.substr(0, 3) != "<0x" || piece[5] != '>') return -1;
  const auto high = digits.find(piece[3]), low = digits.find(piece[4]);
  return high == digits.npos || low == digits.npos ? -1 : static_cast<int>(16 * high + low);
}

}  // namespace gradus
